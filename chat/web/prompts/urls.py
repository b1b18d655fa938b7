"""Route the pages for reusable prompts."""

from django.urls import path

from chat.web.prompts import views

urlpatterns = [
    path("prompts/", views.show_all, name="prompts"),
    path("prompts/new/", views.new, name="new_prompt"),
    path("prompts/import/", views.import_file, name="import_prompts"),
    path("prompts/names", views.names, name="prompt_names"),
    path("prompts/<uuid:prompt_id>/", views.change, name="prompt"),
    path("prompts/<uuid:prompt_id>/text", views.text, name="prompt_text"),
    path("prompts/<uuid:prompt_id>/deletion/", views.deletion, name="delete_prompt"),
]
