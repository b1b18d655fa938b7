"""Export chats as documents for Word and other text processors (Office Open XML)."""
