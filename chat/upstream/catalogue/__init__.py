"""The catalogue in use: the file's models, with what the service and administrators changed."""
