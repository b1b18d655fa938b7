"""Conversations by facets and words: ids only, and searches that are kept."""
