"""Read and validate requests as strictly as Workers AI does."""
