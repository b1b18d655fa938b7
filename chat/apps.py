from django.apps import AppConfig


class ChatConfig(AppConfig):
    name = "chat"
    verbose_name = "Chat"

    def ready(self) -> None:
        self._connect_signals()
        self._schedule_tasks()
        self._schedule_jobs()
        self._schedule_staff_notices()
        self._schedule_deliveries()
        self._add_hooks()

    def _connect_signals(self) -> None:
        from django.contrib.auth.models import Group

        from chat.accounts.models import User
        from chat.accounts.sessions import devices, renewal
        from chat.conversations.search import index_setup
        from chat.database import cascades, config_version
        from chat.generations.models import AllowedModel, WithheldTool
        from chat.quotas.models import Limit, UpstreamPause
        from chat.review import trigger_setup as review
        from chat.review.access_log import account_changes, permission_changes
        from chat.review.cases import erased_chats, holds, rules
        from chat.site_settings.models import SiteSetting
        from chat.tools.mcp.models import McpServer, McpTool
        from chat.upstream.catalogue.models import ModelOverlay
        from chat.widget_sites import visitors

        devices.connect_signals()
        renewal.connect_signals()
        index_setup.connect_signals(self)
        cascades.connect_signals(self)
        review.connect_signals(self)
        config_version.connect_signals(
            self,
            AllowedModel,
            Group,
            Limit,
            McpServer,
            McpServer.groups.through,
            McpTool,
            ModelOverlay,
            SiteSetting,
            UpstreamPause,
            User.groups.through,
            WithheldTool,
        )
        permission_changes.connect_signals()
        account_changes.connect_signals()
        holds.prevent_deletion()
        erased_chats.connect_signals()
        rules.connect_signals()
        visitors.connect_signals()

    def _schedule_tasks(self) -> None:
        from chat.accounts import mail, suspension
        from chat.accounts.sessions import devices, expired_sessions
        from chat.api_keys import last_used
        from chat.conversations.handoff.takeover import end_stale
        from chat.conversations.images import cleanup
        from chat.data_requests import erasure, reminders
        from chat.generations.process import server_process
        from chat.inbox import handled_chats, notices
        from chat.lib import staging_folders
        from chat.quotas import meters
        from chat.quotas.anonymous_charges import PastMonths
        from chat.review.access_log.audit_chain import seal_days
        from chat.review.analytics.rollup import close_days
        from chat.review.cases import holds
        from chat.review.moderation.personal_limits import delete_expired
        from chat.website_answers import case_schedule, grouping, snippets, unanswered, weekly_mail
        from chat.website_sources import crawls, turns

        server_process.periodic_tasks += [
            seal_days,
            suspension.reinstate_due,
            delete_expired,
            close_days,
            holds.end_due,
            end_stale,
            notices.remove_old,
            handled_chats.wake_due,
            expired_sessions.remove_expired,
            meters.remove_idle,
            PastMonths().anonymise,
            cleanup.remove_unsent,
            staging_folders.remove_abandoned,
            mail.remove_old_files,
            crawls.start_due,
            turns.remove_old,
            snippets.remove_expired,
            unanswered.find_more,
            grouping.remove_gone,
            weekly_mail.find_due,
            case_schedule.run_due,
            erasure.end_complete,
            reminders.remind_due,
        ]
        server_process.tasks_at_any_time += [
            notices.find_waiting,
            devices.store_seen,
            last_used.store,
        ]

    def _schedule_jobs(self) -> None:
        from chat.conversations.search import deleted_words, long_messages
        from chat.generations.process import server_process
        from chat.review.cases.message_facts import note_past
        from chat.review.cases.rule_runner import check_new, run_backfill
        from chat.review.cases.withdrawal import run_withdrawal
        from chat.site_settings import stored_settings
        from chat.tools.mcp import servers
        from chat.upstream.catalogue import current as current_catalogue
        from chat.website_answers import grouping

        server_process.background_jobs += [
            stored_settings.refresh,
            current_catalogue.refresh,
            servers.refresh,
            long_messages.index_next,
            deleted_words.merge_next,
            check_new,
            run_backfill,
            note_past,
            run_withdrawal,
            grouping.group_next,
        ]

    def _schedule_staff_notices(self) -> None:
        from chat.generations.process import server_process
        from chat.review.alerts import failures, spending
        from chat.review.audit_export import shipping
        from chat.review.cases import escalation
        from chat.review.ratings import draws
        from chat.review.staff_notices import costs_mail, notice_list
        from chat.webhooks import attempts

        server_process.periodic_tasks += [
            draws.draw_due,
            notice_list.remove_old,
            costs_mail.find_due,
            attempts.remove_old,
        ]
        server_process.tasks_at_any_time += [
            escalation.escalate_due,
            spending.check_spending,
            failures.check_failures,
            shipping.tell_of_failure,
        ]

    def _schedule_deliveries(self) -> None:
        from chat.evaluation.work import STEP
        from chat.generations.process import server_process
        from chat.inbox import notice_delivery as site_notices
        from chat.inbox import visitor_emails
        from chat.indexing import work as indexing
        from chat.outbox import claim
        from chat.outbox.deliver import end_interrupted, job
        from chat.review.audit_export.shipping import ship_due
        from chat.review.judging.background import JUDGE
        from chat.review.judging.running import check_running
        from chat.review.staff_notices import case_events, costs_mail
        from chat.review.staff_notices import notice_delivery as staff_notices
        from chat.website_answers import cases, contradictions, weekly_mail
        from chat.website_sources.crawls import CRAWL

        kinds = [
            site_notices.MAIL,
            site_notices.WEBHOOK,
            staff_notices.MAIL,
            staff_notices.WEBHOOK,
            costs_mail.MAIL,
            case_events.WEBHOOK,
            JUDGE,
            visitor_emails.MAIL,
            indexing.INDEX,
            CRAWL,
            weekly_mail.MAIL,
            cases.RUN,
            contradictions.CHECK,
            STEP,
        ]
        server_process.network_jobs += [job(kinds), ship_due, check_running]
        server_process.background_jobs.append(visitor_emails.find_unread)
        server_process.periodic_tasks += [claim.remove_old, end_interrupted(kinds)]

    def _add_hooks(self) -> None:
        from chat.accounts import closure
        from chat.data_requests import erasure, requests
        from chat.generations import visitor_merge
        from chat.generations.follow_ups import follow_up_writer
        from chat.generations.process import server_process, subscribers
        from chat.generations.send import before_send, on_end
        from chat.generations.summaries import summary_writer
        from chat.generations.titles import title_writer
        from chat.inbox import notices, team_access, visitor_details
        from chat.review.case_models import Rule, give_back
        from chat.review.cases import flags, rule_actions
        from chat.review.judging import background, effects, questions
        from chat.review.live import running_answers
        from chat.review.moderation.warnings import move_warnings
        from chat.review.ratings import tasks
        from chat.sharing import recipients
        from chat.website_answers import unanswered

        closure.closing_hooks += [
            erasure.begin_for_closed,
            recipients.forget,
            visitor_details.forget,
            team_access.leave_all,
            give_back,
            tasks.give_back,
        ]
        visitor_merge.merge_hooks += [
            move_warnings,
            visitor_details.move,
            flags.move_reports,
            requests.move,
        ]
        on_end.answer_hooks += [
            title_writer.write_in_background,
            follow_up_writer.write_in_background,
            summary_writer.write_in_background,
            unanswered.note_in_background,
        ]
        before_send.question_checks.append(questions.check)
        server_process.background_jobs.append(questions.refresh)
        rule_actions.judging_hooks.append(background.request_verdicts)
        rule_actions.actions[Rule.Action.HIDE] = effects.hide
        rule_actions.actions[Rule.Action.PERSON] = effects.hand_over
        rule_actions.undoing_hooks.append(effects.show_again)
        effects.person_hooks.append(
            lambda visitor_id, chat_id: notices.add_for_visitor(
                visitor_id, notices.Kind.PERSON_REQUESTED, chat_id
            )
        )
        subscribers.allowed_watchers += [running_answers.still_allowed, team_access.still_allowed]
