"""The tools that a model called while it answered."""
