"""Check a page of a website for problems that block the chat."""
