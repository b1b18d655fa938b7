"""Copy a site's SQLite database to PostgreSQL: `manage.py copy_database`."""
