from django.apps import AppConfig


class ChatConfig(AppConfig):
    name = "chat"
    verbose_name = "Chat"

    def ready(self) -> None:
        from chat.conversations.search import keeping
        from chat.sites import visitors

        keeping.wire(self)
        visitors.wire()
