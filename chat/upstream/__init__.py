"""The model provider: one request over HTTP, and its answer as typed events."""
