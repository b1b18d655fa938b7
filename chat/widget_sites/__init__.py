"""Embed the chat in other websites: who may, how it answers there, and who visits it."""
