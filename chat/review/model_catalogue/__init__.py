"""Let administrators change which models the site offers, on the record."""
