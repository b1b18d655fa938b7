"""Access to the database besides the ORM: threads, errors, and long writes in small steps."""
