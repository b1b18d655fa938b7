"""What stands below /w/<key>/, for the widget's frame and other front ends of a site.

The frame and its session are open; all else asks for a bearer. A visitor has most of what a member
has, at the same places: see urls.py.
"""

from django.urls import include, path

from chat.pages.views import (
    front_ends,
    messages,
    reports,
    sends,
    streams,
    warnings,
    widget,
    widget_sessions,
)
from chat.pages.visiting import for_visitor

CONVERSATION = "<uuid:conversation_id>/messages"
GENERATION = "generations/<uuid:generation_id>"

visitors = [
    path("identity", for_visitor(widget_sessions.identity), name="visitors_identity"),
    path("shutdown", for_visitor(widget_sessions.shutdown), name="visitors_shutdown"),
    path("consent", for_visitor(widget.consent), name="visitors_consent"),
    path("warnings/<int:warning_id>", for_visitor(warnings.visitors_read), name="visitors_warning"),
    path("conversations", for_visitor(widget.conversations), name="visitors_conversations"),
    path(
        "conversations/<uuid:conversation_id>",
        for_visitor(widget.conversation),
        name="visitors_conversation",
    ),
    path(
        "conversations/<uuid:conversation_id>/person",
        for_visitor(widget.person),
        name="visitors_person",
    ),
    path("messages", for_visitor(streams.visitors_send), name="visitors_send_first"),
    path("sends/<slug:key>", for_visitor(sends.show), name="visitors_sent"),
    path(CONVERSATION, for_visitor(streams.visitors_send), name="visitors_send"),
    path(f"{CONVERSATION}/<int:message_id>", for_visitor(messages.show), name="visitors_message"),
    path(
        f"{CONVERSATION}/<int:message_id>/rating", for_visitor(messages.rate), name="visitors_rate"
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
        for_visitor(streams.follow, or_passer_by=True),
        name="visitors_follow",
    ),
    path(
        f"{GENERATION}/cancellation",
        for_visitor(streams.cancel, or_passer_by=True),
        name="visitors_cancel",
    ),
]
urlpatterns = [
    path("", widget.frame, name="widget"),
    path("challenge", widget.challenge, name="visitors_challenge"),
    path("session", widget_sessions.session, name="visitors_session"),
    path("chat", front_ends.chat, name="front_end_chat"),
    path("chat/text", front_ends.chat, {"wire_format": "text"}, name="front_end_text"),
    path("chat/html", front_ends.chat, {"wire_format": "html"}, name="front_end_html"),
    path("chat/ui", front_ends.ui_messages, name="front_end_ui"),
    path(
        "chat/text/<str:chat_id>/stream",
        front_ends.chat_stream,
        {"wire_format": "text"},
        name="front_end_text_stream",
    ),
    path(
        "chat/ui/<str:chat_id>/stream",
        front_ends.chat_stream,
        {"wire_format": "ui"},
        name="front_end_ui_stream",
    ),
    path("v1/chat/completions", front_ends.completions, name="front_end_completions"),
    path("", include(visitors)),
]
