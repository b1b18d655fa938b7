"""Store projects and tags, with which members organise their chats."""
