from django.apps import AppConfig


class ChatConfig(AppConfig):
    name = "chat"
    verbose_name = "Chat"

    def ready(self) -> None:
        self._connect_signals()
        self._schedule_work()
        self._add_hooks()

    def _connect_signals(self) -> None:
        from django.contrib.auth.models import Group

        from chat.accounts.models import User
        from chat.accounts.sessions import devices, renewal
        from chat.conversations.search import index_setup
        from chat.generations.models import AllowedModel
        from chat.quotas import rules_version
        from chat.quotas.models import Limit, UpstreamPause
        from chat.review import trigger_setup as review
        from chat.review.access_log import account_changes, permission_changes
        from chat.review.cases import case_holds
        from chat.site_settings.models import SiteSetting
        from chat.upstream.catalogue.models import ModelOverlay
        from chat.widget_sites import visitors

        devices.connect_signals()
        renewal.connect_signals()
        index_setup.connect_signals(self)
        review.connect_signals(self)
        rules_version.connect_signals(
            self,
            AllowedModel,
            Group,
            Limit,
            ModelOverlay,
            SiteSetting,
            UpstreamPause,
            User.groups.through,
        )
        permission_changes.connect_signals()
        account_changes.connect_signals()
        case_holds.prevent_deletion()
        visitors.connect_signals()

    def _schedule_work(self) -> None:
        from chat.accounts import account_suspension
        from chat.accounts.sessions import devices, expired_sessions
        from chat.api_keys import last_used
        from chat.conversations.handoff.takeover import end_stale
        from chat.conversations.images import image_cleanup
        from chat.conversations.search import long_messages
        from chat.generations.process import server_process
        from chat.inbox import notices, visitor_emails
        from chat.quotas import meters
        from chat.review.access_log.audit_chain import seal_days
        from chat.review.analytics.rollup import close_days
        from chat.review.cases.rule_runner import check_new, run_backfill
        from chat.review.moderation.personal_limits import delete_expired
        from chat.review.staff_notices import notice_delivery, notice_list
        from chat.site_settings import stored_settings
        from chat.upstream.catalogue import current_catalogue

        server_process.periodic_tasks += [
            seal_days,
            account_suspension.reinstate_due,
            delete_expired,
            close_days,
            end_stale,
            notices.find_waiting,
            notice_list.remove_old,
            devices.store_seen,
            expired_sessions.remove_expired,
            meters.remove_idle,
            last_used.store,
            image_cleanup.remove_unsent,
        ]
        server_process.network_jobs += [
            notices.deliver_due,
            visitor_emails.mail_answers,
            notice_delivery.deliver_due,
        ]
        server_process.background_jobs += [
            stored_settings.refresh_in_background,
            current_catalogue.refresh_in_background,
            long_messages.index_next,
            check_new,
            run_backfill,
        ]

    def _add_hooks(self) -> None:
        from chat.generations import visitor_merge
        from chat.generations.process import subscribers
        from chat.generations.send import start
        from chat.generations.titles import title_writer
        from chat.inbox import team_access
        from chat.review.live import running_answers
        from chat.review.moderation.warnings import move_warnings

        visitor_merge.merge_hooks.append(move_warnings)
        start.answer_hooks.append(title_writer.write_in_background)
        subscribers.allowed_watchers += [running_answers.still_allowed, team_access.still_allowed]
