"""Helpers for the tests of front-end requests."""

DOORS = ["chat", "chat/text", "chat/ui", "v1/chat/completions"]
