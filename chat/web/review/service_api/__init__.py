"""What programs with a service key read of the staff's pages: the same functions, as JSON."""
