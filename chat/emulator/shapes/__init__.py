"""The JSON shapes in which Workers AI says the same things."""
