from django.urls import path

from chat.web.review.analytics import views as analytics_views
from chat.web.review.audit import views as audit_views
from chat.web.review.conversation import case_views
from chat.web.review.conversation import views as conversation_views
from chat.web.review.http import reason_view
from chat.web.review.limits import views as limits_views
from chat.web.review.live import views as live_views
from chat.web.review.members import group_views, invitation_views
from chat.web.review.members import views as members_views
from chat.web.review.moderation import views as moderation_views
from chat.web.review.people import site_views
from chat.web.review.people import views as people_views
from chat.web.review.queue import views as queue_views
from chat.web.review.rules import views as rules_views
from chat.web.review.search import views as search_views

urlpatterns = [
    path("", search_views.show_list, name="review"),
    path("reason/", reason_view.reason, name="review_reason"),
    path("live/", live_views.show_live, name="review_live"),
    path("live/now/", live_views.show_now, name="review_live_now"),
    path("audit/", audit_views.show_record, name="review_record"),
    path("analytics/", analytics_views.show_measures, name="review_measures"),
    path(
        "analytics/<slug:name>.<slug:kind>",
        analytics_views.measures_file,
        name="review_measures_file",
    ),
    path("audit/actions/", audit_views.show_staff_actions, name="review_staff_actions"),
    path("audit/access.<slug:kind>", audit_views.reads_file, name="review_record_file"),
    path(
        "audit/actions.<slug:kind>",
        audit_views.staff_actions_file,
        name="review_staff_actions_file",
    ),
    path("people/", members_views.people, name="review_people"),
    path("people.csv", members_views.people_file, name="review_people_file"),
    path("people/<int:user_id>/account/", members_views.account, name="review_account"),
    path("people/<int:user_id>/approval/", members_views.approval, name="review_approval"),
    path("people/<int:user_id>/refusal/", members_views.refusal, name="review_refusal"),
    path("people/<int:user_id>/reset/", members_views.reset, name="review_reset"),
    path("people/<int:user_id>/address/", members_views.address, name="review_address"),
    path("people/<int:user_id>/deletion/", members_views.deletion, name="review_account_deletion"),
    path("people/<int:user_id>/second-factor/", members_views.second_factor, name="review_factor"),
    path("people/<int:user_id>/sessions/", members_views.sessions, name="review_sessions"),
    path("invitations/", invitation_views.invitations, name="review_invitations"),
    path(
        "invitations/<int:invitation_id>/withdrawal/",
        invitation_views.withdrawal,
        name="review_withdraw_invitation",
    ),
    path("groups/", group_views.all_groups, name="review_groups"),
    path("groups/<int:group_id>/", group_views.group, name="review_group"),
    path("groups/<int:group_id>/deletion/", group_views.deletion, name="review_group_deletion"),
    path("groups/<int:group_id>/members/", group_views.members, name="review_group_members"),
    path("groups/<int:group_id>/scopes/", group_views.scopes, name="review_group_scopes"),
    path("groups/<int:group_id>/access/", group_views.access, name="review_group_access"),
    path("quotas/<slug:kind>/<slug:key>/", limits_views.limits, name="review_quotas"),
    path("views/", search_views.save_view, name="review_view"),
    path("views/<int:view_id>/deletion/", search_views.view_deletion, name="review_view_deletion"),
    path("queue/", queue_views.show_queue, name="review_queue"),
    path("queue/next/", queue_views.take_next, name="review_next"),
    path("queue/selection/", queue_views.change_selected, name="review_selection"),
    path("queue/export.<str:kind>", queue_views.export, name="review_queue_export"),
    path("cases/<int:case_id>/claim/", case_views.claim, name="review_claim"),
    path("cases/<int:case_id>/release/", case_views.release, name="review_release"),
    path("cases/<int:case_id>/assignment/", case_views.assign, name="review_assign"),
    path("cases/<int:case_id>/settlement/", case_views.settle, name="review_settle"),
    path("rules/", rules_views.show_rules, name="review_rules"),
    path("rules/new/", rules_views.new, name="review_new_rule"),
    path("rules/<int:rule_id>/", rules_views.change, name="review_rule"),
    path("rules/<int:rule_id>/deletion/", rules_views.remove, name="review_rule_deletion"),
    path("rules/<int:rule_id>/past/", rules_views.look_back, name="review_rule_past"),
    path("<uuid:conversation_id>/flags/", case_views.flag, name="review_flag"),
    path("<uuid:conversation_id>/", conversation_views.read, name="review_conversation"),
    path(
        "<uuid:conversation_id>/live/<uuid:generation_id>/", live_views.watch, name="review_watch"
    ),
    path("<uuid:conversation_id>/news/", live_views.news, name="review_news"),
    path("<uuid:conversation_id>/stop/", live_views.stop, name="review_stop"),
    path("<uuid:conversation_id>/takeover/", live_views.take_over, name="review_takeover"),
    path("<uuid:conversation_id>/turns/", live_views.say, name="review_say"),
    path("<uuid:conversation_id>/handback/", live_views.hand_back, name="review_handback"),
    path("<uuid:conversation_id>/notes/", conversation_views.note, name="review_note"),
    path(
        "<uuid:conversation_id>/messages/<int:message_id>/redaction/",
        moderation_views.hiding,
        name="review_hiding",
    ),
    path("<uuid:conversation_id>/closing/", moderation_views.closing, name="review_closing"),
    path("<uuid:conversation_id>/holding/", moderation_views.holding, name="review_holding"),
    path("people/<slug:key>/", people_views.person, name="review_person"),
    path("people/<slug:key>/warning/", people_views.warning, name="review_warning"),
    path(
        "people/<slug:key>/warnings/<int:warning_id>/withdrawal/",
        people_views.withdrawal,
        name="review_withdrawal",
    ),
    path("people/<slug:key>/suspension/", people_views.suspension, name="review_suspension"),
    path("people/<slug:key>/limit/", people_views.limit, name="review_limit"),
    path("sites/<slug:key>/", site_views.site, name="review_site"),
    path("sites/<slug:key>/suspension/", site_views.suspension, name="review_site_suspension"),
    path("sites/<slug:key>/limit/", site_views.limit, name="review_site_limit"),
    path(
        "notes/<int:note_id>/deletion/",
        conversation_views.note_deletion,
        name="review_note_deletion",
    ),
]
