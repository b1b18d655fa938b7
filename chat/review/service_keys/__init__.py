"""Service keys: programs read what their scopes name of the staff's pages, and change nothing."""
