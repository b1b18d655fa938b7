"""What else than the ORM talks to the database: its threads, its errors, writes in small steps."""
