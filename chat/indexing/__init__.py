"""Add documents to collections, and make them searchable in the background."""
