"""What the pages of the staff show, and what stands before them."""
