"""Stand in for models that hear, speak or draw; what they return says that no model made it."""
