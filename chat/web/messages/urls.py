"""Route the messages of a conversation and the actions on them."""

from django.urls import path

from chat.web.messages import mark_read_view, report_views, views

urlpatterns = [
    path("chat/<uuid:conversation_id>/read", mark_read_view.mark_read, name="mark_read"),
    path("chat/report/", report_views.report_form, name="report_form"),
    path("chat/<uuid:conversation_id>/report", report_views.report, name="report_chat"),
    path("chat/<uuid:conversation_id>/messages/<int:message_id>", views.show, name="message"),
    path(
        "chat/<uuid:conversation_id>/messages/<int:message_id>/rating",
        views.rate,
        name="rate",
    ),
    path(
        "chat/<uuid:conversation_id>/messages/<int:message_id>/report",
        report_views.report,
        name="report",
    ),
    path(
        "chat/<uuid:conversation_id>/messages/<int:message_id>/deletion",
        views.deletion,
        name="turn_deletion",
    ),
    path(
        "chat/<uuid:conversation_id>/messages/<int:message_id>/branch",
        views.branch,
        name="branch",
    ),
]
