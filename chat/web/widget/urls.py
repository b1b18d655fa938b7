"""Route the widget's loader, and below /w/<key>/ its frame and the front-end APIs.

The frame and its session are public; all else requires a bearer token. Visitors have most of a
member's endpoints, at the same paths.
"""

from django.urls import URLPattern, URLResolver, include, path

from chat.web.account.views import warnings
from chat.web.http.visitor_requests import for_file, for_visitor
from chat.web.messages.views import messages as messages_views
from chat.web.messages.views import reports
from chat.web.streams.views import send_status
from chat.web.streams.views import streams as streams_views
from chat.web.widget.views import (
    files,
    frame,
    loader,
    look,
    page_report,
    person,
    picture,
    session,
)

CONVERSATION = "<uuid:conversation_id>/messages"
GENERATION = "generations/<uuid:generation_id>"

visitors = [
    path("identity", for_visitor(session.identity), name="visitors_identity"),
    path("page", for_visitor(page_report.report), name="visitors_page"),
    path("shutdown", for_visitor(session.shutdown), name="visitors_shutdown"),
    path("consent", for_visitor(frame.consent), name="visitors_consent"),
    path("details", for_visitor(person.details), name="visitors_details"),
    path(
        "warnings/<int:warning_id>",
        for_visitor(warnings.visitors_read),
        name="visitors_warning",
    ),
    path("conversations", for_visitor(frame.conversations), name="visitors_conversations"),
    path(
        "conversations/<uuid:conversation_id>",
        for_visitor(frame.conversation),
        name="visitors_conversation",
    ),
    path(
        "conversations/<uuid:conversation_id>/person",
        for_visitor(person.person),
        name="visitors_takeover_status",
    ),
    path(
        "conversations/<uuid:conversation_id>/person-request",
        for_visitor(person.person_request),
        name="visitors_person_request",
    ),
    path(
        "conversations/<uuid:conversation_id>/seen",
        for_visitor(person.seen),
        name="visitors_seen",
    ),
    path(
        "conversations/<uuid:conversation_id>/email",
        for_visitor(person.email),
        name="visitors_email",
    ),
    path(
        "conversations/<uuid:conversation_id>/transcript",
        for_visitor(person.transcript),
        name="visitors_transcript",
    ),
    path(
        "conversations/<uuid:conversation_id>/help-rating",
        for_visitor(person.help_rating),
        name="visitors_help_rating",
    ),
    path("images/", for_file(files.add_image), name="visitors_image_upload"),
    path("images/<str:digest>", for_visitor(files.show_image), name="visitors_image"),
    path("documents/", for_file(files.add_file), name="visitors_file_upload"),
    path("messages", for_visitor(streams_views.visitors_send), name="visitors_send_first"),
    path("sends/<slug:key>", for_visitor(send_status.show), name="visitors_send_status"),
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
        for_visitor(reports.report),
        name="visitors_report",
    ),
    path(
        "<uuid:conversation_id>/report",
        for_visitor(reports.report),
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
    path("", frame.frame, name="widget"),
    path("look.js", look.show, name="visitors_look"),
    path("pictures/<slug:digest>", picture.show, name="visitors_picture"),
    path("challenge", frame.challenge, name="visitors_challenge"),
    path("session", session.session, name="visitors_session"),
    path("", include("chat.web.front_ends.urls")),
    path("", include(visitors)),
]
urlpatterns = [
    path("w.js", loader.show, {"source": "widget/w.js"}, name="loader"),
    path("w-panel.js", loader.show, {"source": "widget/panel.js"}, name="panel"),
    path("w/<slug:site_key>/", include(of_site)),
]
