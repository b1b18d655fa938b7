"""Parts of settings.py, read from the environment."""
