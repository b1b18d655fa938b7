"""Let administrators change which models the site offers, and log each change."""
