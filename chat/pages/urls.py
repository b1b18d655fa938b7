from django.urls import path
from django.views.generic import RedirectView

from chat.pages.views import chat, health, streams

urlpatterns = [
    path("", RedirectView.as_view(pattern_name="chat"), name="home"),
    path("chat/", chat.show, name="chat"),
    path("chat/connection/", chat.connection, name="connection"),
    path("chat/stream", streams.relay, name="relay"),
    path("generations/<str:generation_id>/stream", streams.follow, name="follow"),
    path("generations/<str:generation_id>/cancellation", streams.cancel, name="cancel"),
    path("healthz", health.alive, name="healthz"),
]
