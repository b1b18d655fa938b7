from django.urls import path
from django.views.generic import RedirectView

from chat.pages.views import (
    allowance,
    connection,
    conversations,
    health,
    messages,
    reading,
    search,
    sends,
    settings,
    shared,
    sharing,
    sight,
    streams,
)

urlpatterns = [
    path("", RedirectView.as_view(pattern_name="chat"), name="home"),
    path("chat/", conversations.new, name="chat"),
    path("chat/temporary/", conversations.temporary, name="temporary"),
    path("chat/sidebar/", conversations.sidebar, name="sidebar"),
    path("chat/search/", search.search, name="search"),
    path("chat/<uuid:conversation_id>/", conversations.show, name="conversation"),
    path("chat/<uuid:conversation_id>/title/", conversations.title, name="title"),
    path("chat/<uuid:conversation_id>/deletion/", conversations.deletion, name="deletion"),
    path("chat/<uuid:conversation_id>/reading", reading.read, name="reading"),
    path("chat/connection/", connection.show, name="connection"),
    path("chat/stream", streams.relay, name="relay"),
    path("chat/messages", streams.send, name="send_first"),
    path("chat/sends/<slug:key>", sends.show, name="sent"),
    path("chat/<uuid:conversation_id>/messages", streams.send, name="send"),
    path("chat/<uuid:conversation_id>/messages/<int:message_id>", messages.show, name="message"),
    path(
        "chat/<uuid:conversation_id>/messages/<int:message_id>/rating", messages.rate, name="rate"
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
    path("chat/allowance/", allowance.show, name="allowance"),
    path("settings/", settings.settings, name="settings"),
    path("chat/<uuid:conversation_id>/sharing/", sharing.conversation, name="sharing"),
    path("shared/", sharing.own, name="shared_links"),
    path("shared/<uuid:link_id>/revocation/", sharing.revoke, name="revocation"),
    path("shared/<uuid:link_id>/renewal/", sharing.renew, name="renewal"),
    path("s/<str:token>/", shared.show, name="shared"),
    path("s/<str:token>/continuation/", shared.continuation, name="continuation"),
    path("generations/<uuid:generation_id>/stream", streams.follow, name="follow"),
    path("generations/<uuid:generation_id>/cancellation", streams.cancel, name="cancel"),
    path("healthz", health.alive, name="healthz"),
    path("readyz", health.ready, name="readyz"),
    path("metrics", sight.show, name="metrics"),
]
