from django.apps import AppConfig


class ChatConfig(AppConfig):
    name = "chat"
    verbose_name = "Chat"

    def ready(self) -> None:
        from django.contrib.auth.models import Group

        from chat.accounts import account_suspension
        from chat.accounts.models import User
        from chat.accounts.sessions import devices, expired_sessions
        from chat.conversations.search import index_setup, long_messages
        from chat.conversations.takeover import end_stale
        from chat.generations.deletion import merge_visitor
        from chat.generations.models import AllowedModel
        from chat.generations.process import server_process, subscribers
        from chat.quotas import meters, rules_version
        from chat.quotas.models import Limit, UpstreamPause
        from chat.review import trigger_setup as review
        from chat.review.access_log import account_changes, permission_changes
        from chat.review.access_log.audit_chain import seal_days
        from chat.review.analytics.rollup import close_days
        from chat.review.cases import case_holds
        from chat.review.cases.rule_runner import check_new, check_past
        from chat.review.live import running_answers
        from chat.review.moderation.personal_limits import forget_over
        from chat.review.moderation.warnings import hand_over
        from chat.widget_sites import visitors

        devices.connect_signals()
        index_setup.connect_signals(self)
        review.wire(self)
        rules_version.connect_signals(
            self, AllowedModel, Group, Limit, UpstreamPause, User.groups.through
        )
        permission_changes.wire()
        account_changes.wire()
        case_holds.protect()
        visitors.wire()
        merge_visitor.moves.append(hand_over)
        server_process.periodic_tasks += [
            seal_days,
            account_suspension.reinstate_due,
            forget_over,
            close_days,
            end_stale,
        ]
        server_process.periodic_tasks += [
            devices.store_seen,
            expired_sessions.remove_expired,
            meters.remove_idle,
        ]
        server_process.background_jobs += [long_messages.index_next, check_new, check_past]
        subscribers.allowed_watchers.append(running_answers.still_may)
