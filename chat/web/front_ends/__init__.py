"""Documented APIs other than our own page's: what they read, and how it is answered."""
