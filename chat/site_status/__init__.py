"""Tell operators how the site is: facts for the staff's status page."""
