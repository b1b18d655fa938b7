"""What is asked, read and checked as strictly as Workers AI does."""
