"""What a person takes along and brings: conversations as files, and everything at once."""
