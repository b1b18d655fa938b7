"""Let administrators set up the site in the page, and log each change."""
