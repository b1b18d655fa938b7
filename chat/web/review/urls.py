"""Route the staff's pages below /review/."""

from django.urls import path

from chat.web.review.analytics import views as analytics
from chat.web.review.audit import views as audit
from chat.web.review.conversation.views import cases, notes, ratings, transcript
from chat.web.review.data_requests import views as data_requests
from chat.web.review.evaluation import urls as evaluation_urls
from chat.web.review.finder import views as finder
from chat.web.review.http import views as reason
from chat.web.review.limits import views as limits
from chat.web.review.live import views as live
from chat.web.review.members.views import accounts, groups, invitations
from chat.web.review.models_page import views as models
from chat.web.review.moderation import views as moderation
from chat.web.review.notifications import views as notifications
from chat.web.review.people.views import people, widget_sites
from chat.web.review.queue import views as queue
from chat.web.review.ratings import urls as ratings_urls
from chat.web.review.rules import views as rules
from chat.web.review.search import views as search
from chat.web.review.site_settings.views import (
    case_webhook,
    provider,
    sections,
    service_keys,
    tool_servers,
    tool_sign_ins,
)
from chat.web.review.status import views as status

urlpatterns = [
    # Chats
    path("", search.show_list, name="review"),
    path("saved-searches/", search.save_search, name="review_saved_search"),
    path(
        "saved-searches/<int:view_id>/deletion/",
        search.search_deletion,
        name="review_saved_search_deletion",
    ),
    # A person, group, model or website by name
    path("find/", finder.find, name="review_find"),
    # Reasons for reading
    path("reason/", reason.reason, name="review_reason"),
    # Running answers
    path("live/", live.show_live, name="review_live"),
    path("live/now/", live.show_now, name="review_live_now"),
    path("<uuid:conversation_id>/live/<uuid:generation_id>/", live.watch, name="review_watch"),
    path("<uuid:conversation_id>/updates/", live.updates, name="review_updates"),
    path("<uuid:conversation_id>/stop/", live.stop, name="review_stop"),
    path("<uuid:conversation_id>/takeover/", live.take_over, name="review_takeover"),
    path("<uuid:conversation_id>/turns/", live.send_message, name="review_send_message"),
    path("<uuid:conversation_id>/handback/", live.hand_back, name="review_handback"),
    # The record
    path("audit/", audit.show_access_log, name="review_access_log"),
    path("audit/actions/", audit.show_staff_actions, name="review_staff_actions"),
    path("audit/access.<slug:kind>", audit.access_log_file, name="review_access_log_file"),
    path("audit/actions.<slug:kind>", audit.staff_actions_file, name="review_staff_actions_file"),
    # Requests of people for their data
    path("data-requests/", data_requests.show_requests, name="review_data_requests"),
    path(
        "data-requests/people/<int:user_id>/",
        data_requests.show_user,
        name="review_data_requests_of",
    ),
    path(
        "data-requests/people/<int:user_id>/record.zip",
        data_requests.copy,
        name="review_data_record",
    ),
    path(
        "data-requests/people/<int:user_id>/erasure/",
        data_requests.erase,
        name="review_erasure",
    ),
    path(
        "data-requests/people/<int:user_id>/<int:request_id>/refusal/",
        data_requests.decline,
        name="review_data_request_refusal",
    ),
    path(
        "data-requests/people/<int:user_id>/<int:request_id>/certificate.zip",
        data_requests.certificate,
        name="review_erasure_certificate",
    ),
    # Analytics
    path("analytics/", analytics.show_analytics, name="review_analytics"),
    path("analytics/votes/", analytics.show_votes, name="review_pair_votes"),
    path(
        "analytics/<slug:name>.<slug:kind>",
        analytics.analytics_file,
        name="review_analytics_file",
    ),
    # Accounts, groups and invitations
    path("people/", accounts.people, name="review_people"),
    path("people.csv", accounts.people_file, name="review_people_file"),
    path("people/<int:user_id>/account/", accounts.account, name="review_account"),
    path("people/<int:user_id>/approval/", accounts.approval, name="review_approval"),
    path("people/<int:user_id>/refusal/", accounts.refusal, name="review_refusal"),
    path("people/<int:user_id>/password-reset/", accounts.reset, name="review_password_reset"),
    path("people/<int:user_id>/email-address/", accounts.address, name="review_email_address"),
    path("people/<int:user_id>/deletion/", accounts.deletion, name="review_account_deletion"),
    path(
        "people/<int:user_id>/second-factor/", accounts.second_factor, name="review_second_factor"
    ),
    path("people/<int:user_id>/sessions/", accounts.sessions, name="review_sessions"),
    path("people/<int:user_id>/scopes/", accounts.scopes, name="review_account_scopes"),
    path(
        "people/<int:user_id>/api-keys/<int:api_key_id>/revocation/",
        accounts.api_key_revocation,
        name="review_revoke_api_key",
    ),
    path("invitations/", invitations.invitations, name="review_invitations"),
    path(
        "invitations/<int:invitation_id>/withdrawal/",
        invitations.withdrawal,
        name="review_invitation_withdrawal",
    ),
    path("groups/", groups.all_groups, name="review_groups"),
    path("groups/<int:group_id>/", groups.group, name="review_group"),
    path("groups/<int:group_id>/deletion/", groups.deletion, name="review_group_deletion"),
    path("groups/<int:group_id>/members/", groups.members, name="review_group_members"),
    path("groups/<int:group_id>/scopes/", groups.scopes, name="review_group_scopes"),
    path("groups/<int:group_id>/access/", groups.access, name="review_group_access"),
    path("groups/<int:group_id>/retention/", groups.retention, name="review_group_retention"),
    # Limits
    path("quotas/<slug:kind>/<slug:key>/", limits.limits, name="review_quotas"),
    # The catalogue of models
    path("models/", models.show_models, name="review_models"),
    path("models/changes/", models.show_changes, name="review_model_changes"),
    path("models/edit/<path:model_id>/", models.edit_model, name="review_model"),
    # Notifications
    path("notifications/", notifications.notifications, name="review_notifications"),
    # Settings of the site
    path("setup/", sections.show_checklist, name="review_setup"),
    path("site/", sections.edit_look, name="review_brand"),
    path("site/sign-up/", sections.edit_sign_up, name="review_sign_up"),
    path("site/welcome/", sections.edit_welcome, name="review_welcome"),
    path("site/retention/", sections.edit_retention, name="review_retention"),
    path("site/judge/", sections.edit_judge, name="review_judge"),
    path("site/comparison/", sections.edit_comparison, name="review_comparing"),
    path("site/suggested-questions/", sections.edit_suggestions, name="review_suggestions"),
    path("site/personal-data/", sections.edit_personal_data, name="review_personal_data"),
    path("site/model/", provider.connect, name="review_provider"),
    path("site/model/trial/", provider.try_out, name="review_provider_trial"),
    path("site/model/local/", provider.find_local, name="review_local_servers"),
    path("site/models/", provider.choose_models, name="review_provider_models"),
    path("site/case-webhook/", case_webhook.edit, name="review_case_webhook"),
    path("site/case-webhook/test/", case_webhook.send_test, name="review_case_webhook_test"),
    path("site/service-keys/", service_keys.show_all, name="review_service_keys"),
    path(
        "site/service-keys/<int:service_key_id>/revocation/",
        service_keys.revoke,
        name="review_service_key_revocation",
    ),
    path("site/tools/", tool_servers.show_all, name="review_tool_servers"),
    path("site/tools/new/", tool_servers.add, name="review_new_tool_server"),
    path("site/tools/<int:server_id>/", tool_servers.edit, name="review_tool_server"),
    path(
        "site/tools/<int:server_id>/listing/",
        tool_servers.list_tools,
        name="review_tool_server_listing",
    ),
    path(
        "site/tools/<int:server_id>/tools/",
        tool_servers.switch_tools,
        name="review_tool_server_tools",
    ),
    path(
        "site/tools/<int:server_id>/sign-in/",
        tool_sign_ins.begin,
        name="review_tool_server_sign_in",
    ),
    path(
        "site/tools/<int:server_id>/sign-out/",
        tool_sign_ins.sign_out,
        name="review_tool_server_sign_out",
    ),
    path("site/tools/signed-in/", tool_sign_ins.finish, name="review_tool_server_signed_in"),
    path(
        "site/tools/<int:server_id>/deletion/",
        tool_servers.delete,
        name="review_tool_server_deletion",
    ),
    # The queue of cases
    path("queue/", queue.show_queue, name="review_queue"),
    path("queue/next/", queue.take_next, name="review_claim_next"),
    path("queue/selection/", queue.change_selected, name="review_bulk_action"),
    path("queue/export.<str:kind>", queue.export, name="review_queue_export"),
    # A chat and its cases
    path("cases/<int:case_id>/claim/", cases.claim, name="review_claim"),
    path("cases/<int:case_id>/release/", cases.release, name="review_release"),
    path("cases/<int:case_id>/assignment/", cases.assign, name="review_assign"),
    path("cases/<int:case_id>/resolution/", cases.resolve, name="review_resolve"),
    path("cases/<int:case_id>/reopening/", cases.reopen, name="review_reopen"),
    path("<uuid:conversation_id>/flags/", cases.flag, name="review_flag"),
    path("<uuid:conversation_id>/", transcript.read, name="review_conversation"),
    path("<uuid:conversation_id>/images/<str:digest>", transcript.image, name="review_image"),
    path("<uuid:conversation_id>/files/<str:file>", transcript.download, name="review_file"),
    path("<uuid:conversation_id>/notes/", notes.add, name="review_note"),
    path("notes/<int:note_id>/deletion/", notes.delete, name="review_note_deletion"),
    path("notes/<int:note_id>/replies/", notes.reply, name="review_note_reply"),
    path("notes/<int:note_id>/text/", notes.edit, name="review_note_text"),
    path("notes/<int:note_id>/resolution/", notes.resolve, name="review_note_resolution"),
    path("<uuid:conversation_id>/ratings/<int:form_id>/", ratings.rate, name="review_rate"),
    *ratings_urls.urlpatterns,
    # Rules that flag messages
    path("rules/", rules.show_rules, name="review_rules"),
    path("rules/new/", rules.new, name="review_new_rule"),
    path("rules/trial/", rules.try_on_past, name="review_rule_trial"),
    path("rules/<int:rule_id>/", rules.change, name="review_rule"),
    path("rules/<int:rule_id>/deletion/", rules.remove, name="review_rule_deletion"),
    path("rules/<int:rule_id>/withdrawal/", rules.withdraw, name="review_rule_withdrawal"),
    path("rules/<int:rule_id>/backfill/", rules.backfill, name="review_rule_backfill"),
    *evaluation_urls.urlpatterns,
    # Moderation
    path(
        "<uuid:conversation_id>/messages/<int:message_id>/redaction/",
        moderation.redaction,
        name="review_redaction",
    ),
    path("<uuid:conversation_id>/closure/", moderation.closure, name="review_closure"),
    path("<uuid:conversation_id>/legal-hold/", moderation.legal_hold, name="review_legal_hold"),
    # People and websites
    path("people/<slug:key>/", people.person, name="review_person"),
    path("people/<slug:key>/warning/", people.warning, name="review_warning"),
    path(
        "people/<slug:key>/warnings/<int:warning_id>/withdrawal/",
        people.withdrawal,
        name="review_warning_withdrawal",
    ),
    path("people/<slug:key>/suspension/", people.suspension, name="review_suspension"),
    path("people/<slug:key>/limit/", people.limit, name="review_limit"),
    path("sites/<slug:key>/", widget_sites.site, name="review_site"),
    path("sites/<slug:key>/suspension/", widget_sites.suspension, name="review_site_suspension"),
    path("sites/<slug:key>/limit/", widget_sites.limit, name="review_site_limit"),
    path("sites/<slug:key>/scopes/", widget_sites.scopes, name="review_site_scopes"),
    # Status
    path("status/", status.show_status, name="review_status"),
]
