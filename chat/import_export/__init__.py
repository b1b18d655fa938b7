"""Export and import: conversations as files, and all data of an account at once."""
