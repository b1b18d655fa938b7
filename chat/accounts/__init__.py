"""Accounts, sign-in, and the `Principal` that represents every requester."""
