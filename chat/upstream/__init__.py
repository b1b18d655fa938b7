"""Talk to the model provider: one HTTP request, and its answer as typed events."""
