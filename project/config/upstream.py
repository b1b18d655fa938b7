"""Configure the model provider and the limits of requests and answers. Part of settings.py."""

from urllib.parse import urlsplit

from chat.lib.catalogue import (
    SHIPPED_EMBEDDINGS,
    SHIPPED_MEDIA,
    CatalogueFile,
    MediaFile,
    read_catalogue_file,
    read_media_file,
)
from project.config.env import (
    env_bool,
    env_choice,
    env_float,
    env_int,
    env_secret,
    env_str,
    in_project,
    stop,
)

CLOUDFLARE_ACCOUNT_ID = env_str("CLOUDFLARE_ACCOUNT_ID")
CLOUDFLARE_API_TOKEN = env_secret("CLOUDFLARE_API_TOKEN")
WORKERS_AI_BASE_URL = env_str("WORKERS_AI_BASE_URL").rstrip("/")
UPSTREAM_PROTOCOL = env_choice("UPSTREAM_PROTOCOL", ("auto", "workers-ai", "openai"), "auto")
UPSTREAM_CONNECTIONS = env_int("UPSTREAM_CONNECTIONS", 0)
UPSTREAM_CONNECT_SECONDS = env_float("UPSTREAM_CONNECT_SECONDS", 5, minimum=0.01)
UPSTREAM_FIRST_BYTE_SECONDS = env_float("UPSTREAM_FIRST_BYTE_SECONDS", 60, minimum=0.01)
UPSTREAM_IDLE_SECONDS = env_float("UPSTREAM_IDLE_SECONDS", 30, minimum=0.01)
UPSTREAM_CONTENT_SECONDS = env_float("UPSTREAM_CONTENT_SECONDS", 60, minimum=0.01)
UPSTREAM_ANSWER_SECONDS = env_float("UPSTREAM_ANSWER_SECONDS", 600, minimum=0.01)
UPSTREAM_RETRIES = env_int("UPSTREAM_RETRIES", 2, maximum=5)

_models_file = env_str("MODELS_FILE")
try:
    _catalogue = read_catalogue_file(in_project(_models_file) if _models_file else None)
except (OSError, ValueError) as error:
    stop("MODELS_FILE", f"can't be used: {error}")
_embeddings_file = env_str("EMBEDDING_MODELS_FILE")
if not _embeddings_file and not _models_file:
    _embeddings_file = str(SHIPPED_EMBEDDINGS)
try:
    _embedding = (
        read_catalogue_file(in_project(_embeddings_file), _catalogue.providers)
        if _embeddings_file
        else CatalogueFile({}, {})
    )
except (OSError, ValueError) as error:
    stop("EMBEDDING_MODELS_FILE", f"can't be used: {error}")
_media_file = env_str("MEDIA_MODELS_FILE")
if not _media_file and not _models_file:
    _media_file = str(SHIPPED_MEDIA)
try:
    _media = (
        read_media_file(in_project(_media_file), _catalogue.providers)
        if _media_file
        else MediaFile({}, {})
    )
except (OSError, ValueError) as error:
    stop("MEDIA_MODELS_FILE", f"can't be used: {error}")
MODELS, MEDIA_MODELS = _catalogue.models, _media.models
for _model in MODELS.values():
    if _model.task:
        stop("MODELS_FILE", f"has {_model.id!r}, which belongs into EMBEDDING_MODELS_FILE")
EMBEDDING_MODELS = {name: each for name, each in _embedding.models.items() if not each.task}
RERANK_MODELS = {name: each for name, each in _embedding.models.items() if each.task == "rerank"}
JUDGE_MODELS = {
    name: each
    for name, each in _embedding.models.items()
    if each.task in {"decision", "guard", "moderation"}
}
PROVIDERS = _catalogue.providers | _embedding.providers | _media.providers
#: Secrets of the providers in the catalogue, by the names of their environment variables.
PROVIDER_TOKENS = {
    name: env_secret(name)
    for each in PROVIDERS.values()
    for name in (each.token_variable, each.gateway_token_variable)
    if name
}
for _name, _token in PROVIDER_TOKENS.items():
    if not _token:
        stop(_name, "is missing; the catalogue's providers name it")


def _media_model(name: str, task: str) -> str:
    """Return the id of an audio or image model: by default the first one for the task, if any."""
    suitable = [each.id for each in MEDIA_MODELS.values() if each.task == task]
    model_id = env_str(name, next(iter(suitable), "none"))
    if model_id != "none" and model_id not in suitable:
        stop(name, f"is {model_id!r}, which isn't one of the {task} models")
    return "" if model_id == "none" else model_id


def _model_or_none(name: str, default: str) -> str:
    """Return the id of a model; empty for `none`."""
    model_id = env_str(name, default)
    return "" if model_id == "none" else model_id


DICTATION_MODEL = _media_model("DICTATION_MODEL", "transcription")
SPEECH_MODEL = _media_model("SPEECH_MODEL", "speech")
IMAGE_MODEL = _media_model("IMAGE_MODEL", "image")
DEFAULT_MODEL = env_str("DEFAULT_MODEL")
FALLBACK_MODEL = env_str("FALLBACK_MODEL")
_cheap = "@cf/ibm-granite/granite-4.0-h-micro"
TITLE_MODEL = _model_or_none("TITLE_MODEL", _cheap if _cheap in MODELS else "none")
COMPACTION_MODEL = _model_or_none("COMPACTION_MODEL", TITLE_MODEL or "none")
_current = [name for name, each in EMBEDDING_MODELS.items() if not each.is_gone]
_preferred = ("@cf/baai/bge-m3", "@cf/qwen/qwen3-embedding-0.6b", *_current)
_default_embedding = next((name for name in _preferred if name in _current), "none")
KNOWLEDGE_TO_MARKDOWN = env_bool("KNOWLEDGE_TO_MARKDOWN", default=False)
KNOWLEDGE_EMBEDDING_MODEL = _model_or_none("KNOWLEDGE_EMBEDDING_MODEL", _default_embedding)
KNOWLEDGE_MIN_SIMILARITY = env_float("KNOWLEDGE_MIN_SIMILARITY", 0.5, maximum=1)
KNOWLEDGE_RERANK_MODEL = _model_or_none("KNOWLEDGE_RERANK_MODEL", "none")
JUDGE_MODEL = _model_or_none("JUDGE_MODEL", "none")
for _name, _id, _kind, _models in (
    ("DEFAULT_MODEL", DEFAULT_MODEL, "available", MODELS),
    ("FALLBACK_MODEL", FALLBACK_MODEL, "available", MODELS),
    ("TITLE_MODEL", TITLE_MODEL, "available", MODELS),
    ("COMPACTION_MODEL", COMPACTION_MODEL, "available", MODELS),
    ("KNOWLEDGE_EMBEDDING_MODEL", KNOWLEDGE_EMBEDDING_MODEL, "embedding", EMBEDDING_MODELS),
    ("KNOWLEDGE_RERANK_MODEL", KNOWLEDGE_RERANK_MODEL, "reranking", RERANK_MODELS),
    ("JUDGE_MODEL", JUDGE_MODEL, "judging", JUDGE_MODELS),
):
    if _id and (_id not in _models or _models[_id].is_gone):
        stop(_name, f"is {_id!r}, which isn't one of the {_kind} models")
# The most that a request or persona may ask for; MAX_TOKENS is the default.
MAX_TOKENS_LIMIT = env_int("MAX_TOKENS_LIMIT", 16_384, minimum=1, maximum=1_000_000)
MAX_TOKENS = env_int("MAX_TOKENS", min(2048, MAX_TOKENS_LIMIT), minimum=1, maximum=MAX_TOKENS_LIMIT)
ASSUMED_USD_PER_MILLION_TOKENS = env_float("ASSUMED_USD_PER_MILLION_TOKENS", 5, maximum=100_000)

AI_GATEWAY_ID = env_str("AI_GATEWAY_ID")
AI_GATEWAY_TOKEN = env_secret("AI_GATEWAY_TOKEN")
AI_GATEWAY_CACHE_SECONDS = env_int("AI_GATEWAY_CACHE_SECONDS", 0)
AI_GATEWAY_SKIP_CACHE = env_bool("AI_GATEWAY_SKIP_CACHE", default=False)
AI_GATEWAY_METADATA = env_bool("AI_GATEWAY_METADATA", default=True)
AI_GATEWAY_ATTEMPTS = env_int("AI_GATEWAY_ATTEMPTS", 0, maximum=5)
AI_GATEWAY_RETRY_MILLISECONDS = env_int("AI_GATEWAY_RETRY_MILLISECONDS", 500, maximum=5000)
AI_GATEWAY_TIMEOUT_MILLISECONDS = env_int("AI_GATEWAY_TIMEOUT_MILLISECONDS", 0)

EMULATOR_TRANSPORT = "project.emulator.transport"
EMULATOR_TOKENS_PER_SECOND = env_float("EMULATOR_TOKENS_PER_SECOND", 50)

if CLOUDFLARE_API_TOKEN and not (CLOUDFLARE_ACCOUNT_ID or WORKERS_AI_BASE_URL):
    stop("CLOUDFLARE_ACCOUNT_ID", "is missing; CLOUDFLARE_API_TOKEN needs it")
if CLOUDFLARE_ACCOUNT_ID and not (CLOUDFLARE_API_TOKEN or WORKERS_AI_BASE_URL):
    stop("CLOUDFLARE_API_TOKEN", "is missing; CLOUDFLARE_ACCOUNT_ID needs it")
if WORKERS_AI_BASE_URL and urlsplit(WORKERS_AI_BASE_URL).scheme not in {"http", "https"}:
    stop("WORKERS_AI_BASE_URL", "isn't a web address; write it like https://host/v1")
UPSTREAM_REQUESTS_PER_MINUTE = env_int(
    "UPSTREAM_REQUESTS_PER_MINUTE", 300 if CLOUDFLARE_ACCOUNT_ID and not WORKERS_AI_BASE_URL else 0
)
