"""API keys of members: programs use them to call the API in a member's name."""
