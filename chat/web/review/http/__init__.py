"""What stands before each page of the staff: who they are, and why they look."""
