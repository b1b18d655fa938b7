"""Hand a visitor's conversation over from the model to staff, and back."""
