"""Route projects, tags and what is done with several chats."""

from django.urls import path

from chat.web.projects import selection_views, tag_views, views

urlpatterns = [
    path("projects/", views.show_all, name="projects"),
    path("projects/new/", views.new, name="new_project"),
    path("projects/archive/", views.archive, name="project_archive"),
    path("projects/<uuid:project_id>/", views.show, name="project"),
    path("projects/<uuid:project_id>/settings/", views.change, name="change_project"),
    path("projects/<uuid:project_id>/state/", views.move, name="project_state"),
    path("projects/<uuid:project_id>/deletion/", views.deletion, name="delete_project"),
    path("tags/", tag_views.show_all, name="tags"),
    path("tags/<uuid:tag_id>/", tag_views.change, name="tag"),
    path("tags/<uuid:tag_id>/deletion/", tag_views.deletion, name="delete_tag"),
    path("chat/selection/", selection_views.selection, name="selection"),
    path("chat/selection/targets/", selection_views.targets, name="selection_targets"),
    path("chat/<uuid:conversation_id>/project/", selection_views.chat_project, name="chat_project"),
    path("chat/<uuid:conversation_id>/tags/", tag_views.chat_tags, name="chat_tags"),
]
