"""Serve the documented APIs for other websites and clients."""
