"""Route the API for programs. Paths arrive decoded, so a model may be written with `%2F`."""

from django.urls import path

from chat.web.api import views

urlpatterns = [
    path("v1/chat/completions", views.chat_completions, name="api_completions"),
    path("v1/models", views.models, name="api_models"),
    path("v1/models/<path:model_id>", views.model, name="api_model"),
    path("v1", views.unknown, name="api_root"),
    path("v1/", views.unknown),
    path("v1/<path:rest>", views.unknown, name="api_unknown"),
]
