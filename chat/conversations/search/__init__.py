"""Finding what one has said and been told: by title, and by the words of messages."""
