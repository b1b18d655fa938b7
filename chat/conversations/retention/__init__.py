"""Delete conversations that were not used for as long as the site, group or website says."""
