from django.urls import path
from django.views.generic import RedirectView

from chat.pages.views import (
    allowance,
    belongings,
    connection,
    conversations,
    departure,
    health,
    messages,
    places,
    search,
    settings,
    streams,
)

urlpatterns = [
    path("", RedirectView.as_view(pattern_name="chat"), name="home"),
    path("chat/", conversations.new, name="chat"),
    path("chat/temporary/", conversations.temporary, name="temporary"),
    path("chat/archive/", places.archive, name="archive"),
    path("chat/sidebar/", conversations.sidebar, name="sidebar"),
    path("chat/search/", search.titles, name="search"),
    path("chat/<uuid:conversation_id>/", conversations.show, name="conversation"),
    path("chat/<uuid:conversation_id>/title/", conversations.title, name="title"),
    path("chat/<uuid:conversation_id>/place/", places.place, name="place"),
    path("chat/<uuid:conversation_id>/export.<str:kind>", belongings.export, name="export"),
    path("chat/<uuid:conversation_id>/deletion/", places.deletion, name="deletion"),
    path("chat/<uuid:conversation_id>/restoration/", places.restoration, name="restoration"),
    path("chat/connection/", connection.show, name="connection"),
    path("chat/stream", streams.relay, name="relay"),
    path("chat/messages", streams.send, name="send_first"),
    path("chat/<uuid:conversation_id>/messages", streams.send, name="send"),
    path("chat/<uuid:conversation_id>/messages/<int:message_id>", messages.show, name="message"),
    path(
        "chat/<uuid:conversation_id>/messages/<int:message_id>/rating", messages.rate, name="rate"
    ),
    path("chat/allowance/", allowance.show, name="allowance"),
    path("settings/", settings.settings, name="settings"),
    path("settings/everything.zip", belongings.export_everything, name="everything"),
    path("settings/import/", belongings.bring, name="import"),
    path("settings/departure/", departure.leave, name="departure"),
    path("generations/<uuid:generation_id>/stream", streams.follow, name="follow"),
    path("generations/<uuid:generation_id>/cancellation", streams.cancel, name="cancel"),
    path("healthz", health.alive, name="healthz"),
]
