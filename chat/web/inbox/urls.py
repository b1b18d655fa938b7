"""Route the inbox of a site and its team."""

from django.urls import path

from chat.web.inbox import people_views, team_views, views

INBOX = "sites/<slug:key>/inbox/"
CHAT = f"{INBOX}<uuid:conversation_id>/"

urlpatterns = [
    path(INBOX, views.show_list, name="inbox"),
    path(f"{INBOX}waiting/", views.waiting, name="inbox_waiting"),
    path(CHAT, views.read, name="inbox_chat"),
    path(f"{CHAT}export.md", views.export, name="inbox_export"),
    path(f"{CHAT}live/<uuid:generation_id>/", views.watch, name="inbox_watch"),
    path(f"{CHAT}updates/", views.updates, name="inbox_updates"),
    path(f"{CHAT}stop/", views.stop, name="inbox_stop"),
    path(f"{CHAT}takeover/", views.take_over, name="inbox_takeover"),
    path(f"{CHAT}turns/", views.send_message, name="inbox_send_message"),
    path(f"{CHAT}handback/", views.hand_back, name="inbox_handback"),
    path(f"{CHAT}notes/", views.note, name="inbox_note"),
    path(f"{INBOX}notes/<int:note_id>/deletion/", views.note_deletion, name="inbox_note_deletion"),
    path("sites/<slug:key>/people/", people_views.change, name="inbox_people"),
    path("stop-emails/<str:token>/", people_views.email_removal, name="visitor_email_removal"),
    path("sites/<slug:key>/team/", team_views.show_all, name="inbox_team"),
    path("sites/<slug:key>/team/name/", team_views.own_name, name="inbox_name"),
    path(
        "sites/<slug:key>/team/<int:member_id>/removal/",
        team_views.removal,
        name="inbox_team_removal",
    ),
    path(
        "sites/<slug:key>/team/invitations/<int:invitation_id>/withdrawal/",
        team_views.withdrawal,
        name="team_invitation_withdrawal",
    ),
    path(
        "sites/invitations/<int:invitation_id>/acceptance/",
        team_views.acceptance,
        name="team_invitation_acceptance",
    ),
    path(
        "sites/invitations/<int:invitation_id>/refusal/",
        team_views.refusal,
        name="team_invitation_refusal",
    ),
]
