"""Helpers for the tests of front-end requests."""

ENDPOINTS = ["chat", "chat/text", "chat/ui", "v1/chat/completions"]
