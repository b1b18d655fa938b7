"""Store conversations and messages, and prepare what a model reads of them."""
