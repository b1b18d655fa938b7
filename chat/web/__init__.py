"""Serve the web pages and the HTTP API: one package per noun, and `http` for what all share."""
