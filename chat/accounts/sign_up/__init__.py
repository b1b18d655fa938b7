"""Create accounts: invitations, and proof of work for sites that ask for it."""
