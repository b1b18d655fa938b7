from django.apps import AppConfig


class ChatConfig(AppConfig):
    name = "chat"
    verbose_name = "Chat"

    def ready(self) -> None:
        from chat.conversations.search import keeping
        from chat.relay import life
        from chat.review import keeping as review
        from chat.review.checking import check_new, check_past
        from chat.review.sealing import seal_days
        from chat.sites import visitors

        keeping.wire(self)
        review.wire(self)
        visitors.wire()
        life.chores.append(seal_days)
        life.errands += [check_new, check_past]
