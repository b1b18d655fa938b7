"""The chats of a website's visitors, for the team of that website."""
