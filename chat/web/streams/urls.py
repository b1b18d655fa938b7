"""Route sends and the streams that answer them. These paths are fixed."""

from django.urls import path

from chat.web.streams.views import send_status, streams

urlpatterns = [
    path("chat/stream", streams.relay, name="relay"),
    path("chat/messages", streams.send, name="send_first"),
    path("chat/sends/<slug:key>", send_status.show, name="send_status"),
    path("chat/<uuid:conversation_id>/messages", streams.send, name="send"),
    path("generations/<uuid:generation_id>/stream", streams.follow, name="follow"),
    path("generations/<uuid:generation_id>/cancellation", streams.cancel, name="cancel"),
]
