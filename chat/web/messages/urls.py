"""Route the messages of a conversation and the actions on them."""

from django.urls import path

from chat.web.messages.views import mark_read, messages, pairs, reports, tool_calls

urlpatterns = [
    path("chat/<uuid:conversation_id>/read", mark_read.mark_read, name="mark_read"),
    path("chat/report/", reports.report_form, name="report_form"),
    path("chat/<uuid:conversation_id>/report", reports.report, name="report_chat"),
    path("chat/<uuid:conversation_id>/messages/<int:message_id>", messages.show, name="message"),
    path(
        "chat/<uuid:conversation_id>/messages/<int:message_id>/rating",
        messages.rate,
        name="rate",
    ),
    path(
        "chat/<uuid:conversation_id>/messages/<int:message_id>/report",
        reports.report,
        name="report",
    ),
    path(
        "chat/<uuid:conversation_id>/messages/<int:message_id>/deletion",
        messages.deletion,
        name="turn_deletion",
    ),
    path(
        "chat/<uuid:conversation_id>/messages/<int:message_id>/branch",
        messages.branch,
        name="branch",
    ),
    path("chat/<uuid:conversation_id>/pairs/<int:pair_id>/vote", pairs.vote, name="pair_vote"),
    path(
        "chat/<uuid:conversation_id>/pairs/<int:pair_id>/choice",
        pairs.choose,
        name="pair_choice",
    ),
    path("chat/tool-calls/<uuid:call_id>", tool_calls.show, name="tool_call"),
    path("chat/tool-calls/<uuid:call_id>/decision", tool_calls.decision, name="tool_decision"),
]
