"""Route the chat page, its sidebar and the list state of conversations."""

from django.urls import path

from chat.web.chat import (
    announcement_view,
    connection_view,
    list_state_views,
    manifest_view,
    notice_worker_view,
    views,
)

urlpatterns = [
    path("chat/", views.new, name="chat"),
    path("chat/temporary/", views.temporary, name="temporary"),
    path("chat/archive/", list_state_views.archive, name="archive"),
    path("chat/models/", views.models, name="models"),
    path("chat/sidebar/", views.sidebar, name="sidebar"),
    path("chat/<uuid:conversation_id>/", views.show, name="conversation"),
    path("chat/<uuid:conversation_id>/title/", views.title, name="title"),
    path("chat/<uuid:conversation_id>/options/", views.options, name="chat_options"),
    path("chat/<uuid:conversation_id>/state/", list_state_views.move, name="list_state"),
    path("chat/<uuid:conversation_id>/deletion/", list_state_views.deletion, name="deletion"),
    path(
        "chat/<uuid:conversation_id>/restoration/", list_state_views.restoration, name="restoration"
    ),
    path("chat/announcement/", announcement_view.dismiss, name="announcement"),
    path("manifest.webmanifest", manifest_view.show, name="manifest"),
    path("chat/notices/worker.js", notice_worker_view.show, name="notice_worker"),
    path("chat/connection/", connection_view.show, name="connection"),
]
