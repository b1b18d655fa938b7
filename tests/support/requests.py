"""What tests of requests share with others."""

DOORS = ["chat", "chat/text", "chat/ui", "v1/chat/completions"]
