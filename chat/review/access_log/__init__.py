"""Keep the access log and staff actions: append-only, with a seal for each day."""
