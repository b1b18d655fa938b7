"""What stands below /w/<key>/, for the widget's frame and other front ends of a site.

The frame and its session are open; all else asks for a bearer. A visitor has most of what a member
has, at the same places: see urls.py.
"""

from django.urls import include, path

from chat.web.account import warning_views
from chat.web.front_ends import views as front_ends_views
from chat.web.http.visitor_requests import for_visitor
from chat.web.messages import report_views
from chat.web.messages import views as messages_views
from chat.web.streams import send_status_view
from chat.web.streams import views as streams_views
from chat.web.widget import session_views
from chat.web.widget import views as widget_views

CONVERSATION = "<uuid:conversation_id>/messages"
GENERATION = "generations/<uuid:generation_id>"

visitors = [
    path("identity", for_visitor(session_views.identity), name="visitors_identity"),
    path("shutdown", for_visitor(session_views.shutdown), name="visitors_shutdown"),
    path("consent", for_visitor(widget_views.consent), name="visitors_consent"),
    path(
        "warnings/<int:warning_id>",
        for_visitor(warning_views.visitors_read),
        name="visitors_warning",
    ),
    path("conversations", for_visitor(widget_views.conversations), name="visitors_conversations"),
    path(
        "conversations/<uuid:conversation_id>",
        for_visitor(widget_views.conversation),
        name="visitors_conversation",
    ),
    path(
        "conversations/<uuid:conversation_id>/person",
        for_visitor(widget_views.person),
        name="visitors_person",
    ),
    path("messages", for_visitor(streams_views.visitors_send), name="visitors_send_first"),
    path("sends/<slug:key>", for_visitor(send_status_view.show), name="visitors_sent"),
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
        for_visitor(streams_views.follow, or_passer_by=True),
        name="visitors_follow",
    ),
    path(
        f"{GENERATION}/cancellation",
        for_visitor(streams_views.cancel, or_passer_by=True),
        name="visitors_cancel",
    ),
]
urlpatterns = [
    path("", widget_views.frame, name="widget"),
    path("challenge", widget_views.challenge, name="visitors_challenge"),
    path("session", session_views.session, name="visitors_session"),
    path("chat", front_ends_views.chat, name="front_end_chat"),
    path("chat/text", front_ends_views.chat, {"wire_format": "text"}, name="front_end_text"),
    path("chat/html", front_ends_views.chat, {"wire_format": "html"}, name="front_end_html"),
    path("chat/ui", front_ends_views.ui_messages, name="front_end_ui"),
    path(
        "chat/text/<str:chat_id>/stream",
        front_ends_views.chat_stream,
        {"wire_format": "text"},
        name="front_end_text_stream",
    ),
    path(
        "chat/ui/<str:chat_id>/stream",
        front_ends_views.chat_stream,
        {"wire_format": "ui"},
        name="front_end_ui_stream",
    ),
    path("v1/chat/completions", front_ends_views.completions, name="front_end_completions"),
    path("", include(visitors)),
]
