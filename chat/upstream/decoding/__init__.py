"""Decode the stream of a provider into events: text, reasoning, calls of tools, usage, an end."""
