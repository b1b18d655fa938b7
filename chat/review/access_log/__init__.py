"""What the staff read and did: rows that nobody changes, and a digest of each day."""
