"""Read parts of settings.py from the environment."""
