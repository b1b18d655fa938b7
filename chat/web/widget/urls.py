"""Route the widget's loader, and below /w/<key>/ its frame and the front-end APIs.

The frame and its session are public; all else requires a bearer token. Visitors have most of a
member's endpoints, at the same paths.
"""

from django.urls import URLPattern, URLResolver, include, path

from chat.web.account import warning_views
from chat.web.http.visitor_requests import for_visitor
from chat.web.messages import report_views
from chat.web.messages import views as messages_views
from chat.web.streams import send_status_view
from chat.web.streams import views as streams_views
from chat.web.widget import (
    loader_view,
    look_view,
    person_views,
    picture_view,
    session_views,
    views,
)

CONVERSATION = "<uuid:conversation_id>/messages"
GENERATION = "generations/<uuid:generation_id>"

visitors = [
    path("identity", for_visitor(session_views.identity), name="visitors_identity"),
    path("shutdown", for_visitor(session_views.shutdown), name="visitors_shutdown"),
    path("consent", for_visitor(views.consent), name="visitors_consent"),
    path(
        "warnings/<int:warning_id>",
        for_visitor(warning_views.visitors_read),
        name="visitors_warning",
    ),
    path("conversations", for_visitor(views.conversations), name="visitors_conversations"),
    path(
        "conversations/<uuid:conversation_id>",
        for_visitor(views.conversation),
        name="visitors_conversation",
    ),
    path(
        "conversations/<uuid:conversation_id>/person",
        for_visitor(person_views.person),
        name="visitors_takeover_status",
    ),
    path(
        "conversations/<uuid:conversation_id>/person-request",
        for_visitor(person_views.person_request),
        name="visitors_person_request",
    ),
    path(
        "conversations/<uuid:conversation_id>/seen",
        for_visitor(person_views.seen),
        name="visitors_seen",
    ),
    path(
        "conversations/<uuid:conversation_id>/email",
        for_visitor(person_views.email),
        name="visitors_email",
    ),
    path(
        "conversations/<uuid:conversation_id>/transcript",
        for_visitor(person_views.transcript),
        name="visitors_transcript",
    ),
    path(
        "conversations/<uuid:conversation_id>/help-rating",
        for_visitor(person_views.help_rating),
        name="visitors_help_rating",
    ),
    path("messages", for_visitor(streams_views.visitors_send), name="visitors_send_first"),
    path("sends/<slug:key>", for_visitor(send_status_view.show), name="visitors_send_status"),
    path(CONVERSATION, for_visitor(streams_views.visitors_send), name="visitors_send"),
    path(
        f"{CONVERSATION}/<int:message_id>",
        for_visitor(messages_views.show),
        name="visitors_message",
    ),
    path(
        f"{CONVERSATION}/<int:message_id>/rating",
        for_visitor(messages_views.rate),
        name="visitors_rate",
    ),
    path(
        f"{CONVERSATION}/<int:message_id>/report",
        for_visitor(report_views.report),
        name="visitors_report",
    ),
    path(
        "<uuid:conversation_id>/report",
        for_visitor(report_views.report),
        name="visitors_report_chat",
    ),
    path(
        f"{GENERATION}/stream",
        for_visitor(streams_views.follow, or_anonymous=True),
        name="visitors_follow",
    ),
    path(
        f"{GENERATION}/cancellation",
        streams_views.visitors_cancel,
        name="visitors_cancel",
    ),
]
of_site: list[URLPattern | URLResolver] = [
    path("", views.frame, name="widget"),
    path("look.js", look_view.show, name="visitors_look"),
    path("pictures/<slug:digest>", picture_view.show, name="visitors_picture"),
    path("challenge", views.challenge, name="visitors_challenge"),
    path("session", session_views.session, name="visitors_session"),
    path("", include("chat.web.front_ends.urls")),
    path("", include(visitors)),
]
urlpatterns = [
    path("w.js", loader_view.show, {"source": "widget/w.js"}, name="loader"),
    path("w-panel.js", loader_view.show, {"source": "widget/panel.js"}, name="panel"),
    path("w/<slug:site_key>/", include(of_site)),
]
