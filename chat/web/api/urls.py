"""Route the API for programs. Paths arrive decoded, so a model may be written with `%2F`."""

from django.urls import path

from chat.web.api import cloudflare_views, views
from chat.web.api.media import media_views

ACCOUNT = "client/v4/accounts/<str:account>"

urlpatterns = [
    path("v1/chat/completions", views.chat_completions, name="api_completions"),
    path("v1/completions", views.text_completions, name="api_text_completions"),
    path("v1/embeddings", views.embeddings, name="api_embeddings"),
    path("v1/responses", views.responses, name="api_responses"),
    path("v1/audio/transcriptions", media_views.transcriptions, name="api_transcriptions"),
    path("v1/audio/speech", media_views.speech, name="api_speech"),
    path("v1/images/generations", media_views.images, name="api_images"),
    path("v1/models", views.models, name="api_models"),
    path("v1/models/<path:model_id>", views.model, name="api_model"),
    path(
        f"{ACCOUNT}/ai/v1/chat/completions",
        views.chat_completions,
        name="cloudflare_completions",
    ),
    path(f"{ACCOUNT}/ai/v1/embeddings", views.embeddings, name="cloudflare_embeddings"),
    path(f"{ACCOUNT}/ai/v1/models", views.models, name="cloudflare_v1_models"),
    path(f"{ACCOUNT}/ai/run", cloudflare_views.run, name="cloudflare_run_by_body"),
    path(f"{ACCOUNT}/ai/run/<path:model_id>", cloudflare_views.run, name="cloudflare_run"),
    path(f"{ACCOUNT}/ai/models/search", cloudflare_views.search_models, name="cloudflare_models"),
    path(f"{ACCOUNT}/tokens/verify", cloudflare_views.verify_token, name="cloudflare_verify"),
    path("client/v4/user/tokens/verify", cloudflare_views.verify_token, name="cloudflare_token"),
    path("client/v4/<path:rest>", views.unknown, name="cloudflare_unknown"),
    path("v1", views.unknown, name="api_root"),
    path("v1/", views.unknown),
    path("v1/<path:rest>", views.unknown, name="api_unknown"),
]
