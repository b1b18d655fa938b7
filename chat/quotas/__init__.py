"""What it may cost, and whose account it goes on. Knows keys and numbers, nothing of chats."""
