"""Decode the stream of a provider into events: text, reasoning, tool calls, usage, an end."""
