"""Helpers for the tests of sending within limits."""

HELLO = {"messages": [{"role": "user", "content": "Hello"}]}


USAGE = b'data: {"response":"Aye","usage":{"prompt_tokens":7,"completion_tokens":5,"total_tokens":12}}\n\n'
