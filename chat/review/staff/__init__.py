"""Who of the staff may see whose words, and whether they know whose."""
