"""Route sends and the streams that answer them. These paths are fixed."""

from django.urls import path

from chat.web.streams import send_status_view, views

urlpatterns = [
    path("chat/stream", views.relay, name="relay"),
    path("chat/messages", views.send, name="send_first"),
    path("chat/sends/<slug:key>", send_status_view.show, name="send_status"),
    path("chat/<uuid:conversation_id>/messages", views.send, name="send"),
    path("generations/<uuid:generation_id>/stream", views.follow, name="follow"),
    path("generations/<uuid:generation_id>/cancellation", views.cancel, name="cancel"),
]
