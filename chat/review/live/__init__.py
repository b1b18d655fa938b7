"""What is being written now: who watches it, who stops it or takes the chat over."""
