"""How the chat of a website looks, and what it says, as the owner chose."""
