"""What is in the way of the chat on a page of a website, as its server sends it."""
