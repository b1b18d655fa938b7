"""Helpers for the tests of sending without scripts."""

HTML = {"Accept": "text/html,application/xhtml+xml"}


FORM = "application/x-www-form-urlencoded"
