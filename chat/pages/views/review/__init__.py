"""The pages of the staff. Each view gets a `Look`; what it shows of others is recorded."""
