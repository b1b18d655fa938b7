"""Answers that are one document: lists, embeddings, sounds and pictures."""
