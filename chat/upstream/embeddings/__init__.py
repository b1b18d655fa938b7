"""Embeddings: texts as vectors."""
