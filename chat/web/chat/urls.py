"""Route the chat page, its sidebar and the list state of conversations."""

from django.urls import path

from chat.web.chat.views import (
    announcement,
    chats,
    connection,
    list_state,
    manifest,
    notice_worker,
    printing,
    tools,
)

urlpatterns = [
    path("chat/", chats.new, name="chat"),
    path("chat/temporary/", chats.temporary, name="temporary"),
    path("chat/archive/", list_state.archive, name="archive"),
    path("chat/models/", chats.models, name="models"),
    path("chat/tools/", tools.menu, name="tools"),
    path("chat/sidebar/", chats.sidebar, name="sidebar"),
    path("chat/<uuid:conversation_id>/", chats.show, name="conversation"),
    path("chat/<uuid:conversation_id>/title/", chats.title, name="title"),
    path("chat/<uuid:conversation_id>/options/", chats.options, name="chat_options"),
    path(
        "chat/<uuid:conversation_id>/allowed-tools/revocation/",
        tools.revocation,
        name="tool_revocation",
    ),
    path("chat/<uuid:conversation_id>/print/", printing.show, name="print"),
    path("chat/<uuid:conversation_id>/state/", list_state.move, name="list_state"),
    path("chat/<uuid:conversation_id>/deletion/", list_state.deletion, name="deletion"),
    path("chat/<uuid:conversation_id>/restoration/", list_state.restoration, name="restoration"),
    path("chat/announcement/", announcement.dismiss, name="announcement"),
    path("manifest.webmanifest", manifest.show, name="manifest"),
    path("chat/notices/worker.js", notice_worker.show, name="notice_worker"),
    path("chat/connection/", connection.show, name="connection"),
]
