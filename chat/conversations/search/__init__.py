"""Search one's own conversations: by title, and by the words of messages."""
