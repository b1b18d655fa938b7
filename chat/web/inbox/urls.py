"""Route the inbox of a site and its team."""

from django.urls import path

from chat.web.inbox.views import chats, handling, labels, people, selection, suggestion, team

INBOX = "sites/<slug:key>/inbox/"
CHAT = f"{INBOX}<uuid:conversation_id>/"

urlpatterns = [
    path(INBOX, chats.show_list, name="inbox"),
    path(f"{INBOX}waiting/", chats.waiting, name="inbox_waiting"),
    path(f"{INBOX}selection/", selection.change_selected, name="inbox_selection"),
    path(CHAT, chats.read, name="inbox_chat"),
    path(f"{CHAT}images/<str:digest>", chats.image, name="inbox_image"),
    path(f"{CHAT}files/<str:file>", chats.download_file, name="inbox_file"),
    path(f"{CHAT}export.md", chats.export, name="inbox_export"),
    path(f"{CHAT}live/<uuid:generation_id>/", chats.watch, name="inbox_watch"),
    path(f"{CHAT}updates/", chats.updates, name="inbox_updates"),
    path(f"{CHAT}stop/", chats.stop, name="inbox_stop"),
    path(f"{CHAT}takeover/", chats.take_over, name="inbox_takeover"),
    path(f"{CHAT}turns/", chats.send_message, name="inbox_send_message"),
    path(f"{CHAT}suggestion/", suggestion.suggest, name="inbox_suggestion"),
    path(f"{CHAT}handback/", chats.hand_back, name="inbox_handback"),
    path(f"{CHAT}assignment/", handling.assign, name="inbox_assignment"),
    path(f"{CHAT}snooze/", handling.snooze, name="inbox_snooze"),
    path(f"{CHAT}closing/", handling.close, name="inbox_closing"),
    path(f"{CHAT}reopening/", handling.reopen, name="inbox_reopening"),
    path(f"{CHAT}labels/", labels.of_chat, name="inbox_chat_labels"),
    path(f"{CHAT}notes/", chats.note, name="inbox_note"),
    path(f"{INBOX}notes/<int:note_id>/deletion/", chats.note_deletion, name="inbox_note_deletion"),
    path("sites/<slug:key>/people/", people.change, name="inbox_people"),
    path("sites/<slug:key>/people/webhook-test/", people.webhook_test, name="inbox_webhook_test"),
    path("sites/<slug:key>/visitor-form/", people.visitor_form, name="inbox_visitor_form"),
    path("stop-emails/<str:token>/", people.email_removal, name="visitor_email_removal"),
    path("sites/<slug:key>/labels/", labels.show_all, name="inbox_labels"),
    path(
        "sites/<slug:key>/labels/<int:label_id>/removal/",
        labels.removal,
        name="inbox_label_removal",
    ),
    path("sites/<slug:key>/team/", team.show_all, name="inbox_team"),
    path("sites/<slug:key>/team/name/", team.own_name, name="inbox_name"),
    path(
        "sites/<slug:key>/team/<int:member_id>/removal/",
        team.removal,
        name="inbox_team_removal",
    ),
    path(
        "sites/<slug:key>/team/invitations/<int:invitation_id>/withdrawal/",
        team.withdrawal,
        name="team_invitation_withdrawal",
    ),
    path(
        "sites/invitations/<int:invitation_id>/acceptance/",
        team.acceptance,
        name="team_invitation_acceptance",
    ),
    path(
        "sites/invitations/<int:invitation_id>/refusal/",
        team.refusal,
        name="team_invitation_refusal",
    ),
]
