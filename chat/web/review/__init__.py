"""Serve the staff's pages."""
