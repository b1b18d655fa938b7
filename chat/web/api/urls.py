"""Route the API for programs. Paths arrive decoded, so a model may be written with `%2F`."""

from django.urls import path

from chat.web.api import to_markdown
from chat.web.api.anthropic import views as anthropic_views
from chat.web.api.media import views as media_views
from chat.web.api.ollama import views as ollama_views
from chat.web.api.views import cloudflare, openai

#: What programs ask for if their base URL lacks `/v1`.
WITHOUT_VERSION = (
    "chat/completions", "completions", "responses", "messages", "embeddings", "models",
)  # fmt: skip
#: What Ollama's clients ask of a machine whose models they manage.
MANAGED = ("create", "copy", "delete", "pull", "push")
ACCOUNT = "client/v4/accounts/<str:account>"

urlpatterns = [
    path("v1/chat/completions", openai.chat_completions, name="api_completions"),
    path("v1/completions", openai.text_completions, name="api_text_completions"),
    path("v1/embeddings", openai.embeddings, name="api_embeddings"),
    path("v1/responses", openai.responses, name="api_responses"),
    path("v1/messages", anthropic_views.messages, name="api_messages"),
    path("v1/messages/count_tokens", anthropic_views.count_tokens, name="api_token_count"),
    path("v1/audio/transcriptions", media_views.transcriptions, name="api_transcriptions"),
    path("v1/audio/speech", media_views.speech, name="api_speech"),
    path("v1/images/generations", media_views.images, name="api_images"),
    path("v1/models", openai.models, name="api_models"),
    path("v1/models/<path:model_id>", openai.model, name="api_model"),
    path("v1/vector_stores", openai.list_vector_stores, name="api_vector_stores"),
    path("v1/vector_stores/<str:store_id>", openai.show_vector_store, name="api_vector_store"),
    path(
        f"{ACCOUNT}/ai/v1/chat/completions",
        openai.chat_completions,
        name="cloudflare_completions",
    ),
    path(f"{ACCOUNT}/ai/v1/responses", openai.responses, name="cloudflare_responses"),
    path(f"{ACCOUNT}/ai/v1/embeddings", openai.embeddings, name="cloudflare_embeddings"),
    path(f"{ACCOUNT}/ai/v1/models", openai.models, name="cloudflare_v1_models"),
    path(f"{ACCOUNT}/ai/run", cloudflare.run, name="cloudflare_run_by_body"),
    path(f"{ACCOUNT}/ai/run/<path:model_id>", cloudflare.run, name="cloudflare_run"),
    path(f"{ACCOUNT}/ai/models/search", cloudflare.search_models, name="cloudflare_models"),
    path(f"{ACCOUNT}/ai/tomarkdown", to_markdown.convert, name="cloudflare_markdown"),
    path(f"{ACCOUNT}/ai/tomarkdown/supported", to_markdown.supported, name="cloudflare_files"),
    path(f"{ACCOUNT}/tokens/verify", cloudflare.verify_token, name="cloudflare_verify"),
    path("client/v4/user/tokens/verify", cloudflare.verify_token, name="cloudflare_token"),
    path("client/v4/<path:rest>", openai.unknown, name="cloudflare_unknown"),
    path("api/chat", ollama_views.chat, name="ollama_chat"),
    path("api/generate", ollama_views.generate, name="ollama_generate"),
    path("api/embed", ollama_views.embed, name="ollama_embed"),
    path("api/embeddings", ollama_views.embed_prompt, name="ollama_embed_prompt"),
    path("api/tags", ollama_views.tags, name="ollama_tags"),
    path("api/show", ollama_views.show, name="ollama_show"),
    path("api/ps", ollama_views.loaded, name="ollama_loaded"),
    path("api/version", ollama_views.version, name="ollama_version"),
    *[path(f"api/{each}", ollama_views.managed) for each in MANAGED],
    path("api/blobs/<str:digest>", ollama_views.managed, name="ollama_blob"),
    path("api", ollama_views.unknown, name="ollama_root"),
    path("api/", ollama_views.unknown),
    path("api/<path:rest>", ollama_views.unknown, name="ollama_unknown"),
    path("v1", openai.unknown, name="api_root"),
    path("v1/", openai.unknown),
    path("v1/<path:rest>", openai.unknown, name="api_unknown"),
    *[path(each, openai.without_version) for each in WITHOUT_VERSION],
]
