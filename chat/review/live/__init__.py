"""Watch and stop running answers, and take over chats."""
