"""Other people's websites that show the chat: who may, how it answers there, who visits them."""
