from django.apps import AppConfig


class ChatConfig(AppConfig):
    name = "chat"
    verbose_name = "Chat"

    def ready(self) -> None:
        from chat.conversations.search import keeping
        from chat.review import keeping as review

        keeping.wire(self)
        review.wire(self)
