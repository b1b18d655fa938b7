"""Check access to the staff's pages: role, two-factor and reason."""
