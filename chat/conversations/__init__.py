"""Conversations: what was said, and what of it a model is sent."""
