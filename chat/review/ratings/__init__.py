"""Let staff rate chats and answers with forms, and tell how far they agree."""
