"""Define Django middleware, one class per file."""
