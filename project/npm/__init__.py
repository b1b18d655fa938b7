"""Serve files of npm packages to the browser."""
