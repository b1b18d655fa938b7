"""Route projects, tags and what is done with several chats."""

from django.urls import path

from chat.web.projects.views import projects, selection, tags

urlpatterns = [
    path("projects/", projects.show_all, name="projects"),
    path("projects/new/", projects.new, name="new_project"),
    path("projects/archive/", projects.archive, name="project_archive"),
    path("projects/<uuid:project_id>/", projects.show, name="project"),
    path("projects/<uuid:project_id>/settings/", projects.change, name="change_project"),
    path("projects/<uuid:project_id>/state/", projects.move, name="project_state"),
    path("projects/<uuid:project_id>/deletion/", projects.deletion, name="delete_project"),
    path("tags/", tags.show_all, name="tags"),
    path("tags/<uuid:tag_id>/", tags.change, name="tag"),
    path("tags/<uuid:tag_id>/deletion/", tags.deletion, name="delete_tag"),
    path("chat/selection/", selection.selection, name="selection"),
    path("chat/selection/targets/", selection.targets, name="selection_targets"),
    path("chat/<uuid:conversation_id>/project/", selection.chat_project, name="chat_project"),
    path("chat/<uuid:conversation_id>/tags/", tags.chat_tags, name="chat_tags"),
]
