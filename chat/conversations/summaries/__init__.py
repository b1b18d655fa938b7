"""Summaries of the oldest messages of long chats, which replace them in prompts."""
