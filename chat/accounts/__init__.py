"""Who is asking: accounts, sign-in, and the one Principal that the rest of the site sees."""
