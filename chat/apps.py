from django.apps import AppConfig


class ChatConfig(AppConfig):
    name = "chat"
    verbose_name = "Chat"

    def ready(self) -> None:
        from chat.accounts import expired, suspending
        from chat.conversations.search import keeping, long_messages
