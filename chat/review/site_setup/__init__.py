"""Let administrators set up the site in the page, on the record."""
