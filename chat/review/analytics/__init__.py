"""What it all comes to: how many, how much, how quick. Numbers by day, never a word."""
