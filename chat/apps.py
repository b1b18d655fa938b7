from django.apps import AppConfig


class ChatConfig(AppConfig):
    name = "chat"
    verbose_name = "Chat"

    def ready(self) -> None:
        from chat.accounts import devices, expired, suspending
        from chat.conversations.search import keeping, long_messages
        from chat.conversations.takeover import end_left
        from chat.generations.deletion import merge_visitor
        from chat.generations.process import server_process, subscribers
        from chat.quotas import meters
        from chat.review import holds, rights, switches, watching
        from chat.review import keeping as review
        from chat.review.acting.limits import forget_over
        from chat.review.checking import check_new, check_past
        from chat.review.measures.counting import close_days
        from chat.review.sealing import seal_days
        from chat.review.warnings import hand_over
        from chat.sites import visitors

        devices.wire()
        keeping.wire(self)
        review.wire(self)
        rights.wire()
        switches.wire()
        holds.protect()
        visitors.wire()
        merge_visitor.moves.append(hand_over)
        server_process.chores += [
            seal_days,
            suspending.let_in_due,
            forget_over,
            close_days,
            end_left,
        ]
        server_process.chores += [devices.store_noted, expired.remove_expired, meters.remove_idle]
        server_process.errands += [long_messages.index_next, check_new, check_past]
        subscribers.still_watching.append(watching.still_may)
