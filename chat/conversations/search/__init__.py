"""Search a user's own conversations: by title, and by the words of messages."""
