"""The HTML pages and the streams that they read. Only urls.py imports views."""
