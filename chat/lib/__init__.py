"""Pure helpers: bytes and values in, bytes and values out. Imports nothing else of the project."""
