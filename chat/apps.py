from django.apps import AppConfig


class ChatConfig(AppConfig):
    name = "chat"
    verbose_name = "Chat"

    def ready(self) -> None:
        from chat.conversations.search import keeping
        from chat.conversations.takeover import end_left
        from chat.relay import life, viewers
        from chat.review import keeping as review
        from chat.review import watching
        from chat.review.sealing import seal_days
        from chat.sites import visitors

        keeping.wire(self)
        review.wire(self)
        visitors.wire()
        life.chores += [seal_days, end_left]
        viewers.still_watching.append(watching.still_may)
