"""What each address of the API for programs answers, without a key and with one."""

#: Addresses of Ollama's API that nobody can use.
MANAGED = (
    "api/create", "api/copy", "api/delete", "api/pull", "api/push", "api/blobs/{digest}",
)  # fmt: skip
#: For service keys: tests/review/service_keys.
SERVICE_ROUTES = (
    "v1/review/conversations",
    "v1/review/conversations/{conversation}",
    "v1/review/messages",
    "v1/review/cases",
    "v1/review/cases/{case}",
    "v1/review/figures/{table}",
    "v1/review/limits",
    "v1/review/audit/access",
    "v1/review/audit/actions",
    "v1/review/audit/seals",
)
#: To sessions, which open nothing here: tests/web/api/test_api_callers.py. A preflight is always
#: answered.
API_ROUTES = {
    "v1/chat/completions": ((405, 405, 405, 405), (401, 401, 401, 401)),
    "v1/completions": ((405, 405, 405, 405), (401, 401, 401, 401)),
    "v1/audio/speech": ((405, 405, 405, 405), (401, 401, 401, 401)),
    "v1/audio/transcriptions": ((405, 405, 405, 405), (401, 401, 401, 401)),
    "v1/images/generations": ((405, 405, 405, 405), (401, 401, 401, 401)),
    "v1/embeddings": ((405, 405, 405, 405), (401, 401, 401, 401)),
    "v1/responses": ((405, 405, 405, 405), (401, 401, 401, 401)),
    "v1/messages": ((405, 405, 405, 405), (401, 401, 401, 401)),
    "v1/messages/count_tokens": ((405, 405, 405, 405), (401, 401, 401, 401)),
    "v1/models": ((401, 401, 401, 401), (405, 405, 405, 405)),
    "v1/models/{model}": ((401, 401, 401, 401), (405, 405, 405, 405)),
    "v1/vector_stores": ((401, 401, 401, 401), (405, 405, 405, 405)),
    "v1/vector_stores/{store}": ((401, 401, 401, 401), (405, 405, 405, 405)),
    **dict.fromkeys(SERVICE_ROUTES, ((401, 401, 401, 401), (405, 405, 405, 405))),
    "client/v4/accounts/{account}/ai/run": ((405, 405, 405, 405), (401, 401, 401, 401)),
    "client/v4/accounts/{account}/ai/run/{model}": ((405, 405, 405, 405), (401, 401, 401, 401)),
    "client/v4/accounts/{account}/ai/v1/chat/completions": (
        (405, 405, 405, 405),
        (401, 401, 401, 401),
    ),
    "client/v4/accounts/{account}/ai/v1/responses": (
        (405, 405, 405, 405),
        (401, 401, 401, 401),
    ),
    "client/v4/accounts/{account}/ai/v1/embeddings": (
        (405, 405, 405, 405),
        (401, 401, 401, 401),
    ),
    "client/v4/accounts/{account}/ai/v1/models": ((401, 401, 401, 401), (405, 405, 405, 405)),
    "client/v4/accounts/{account}/ai/models/search": ((401, 401, 401, 401), (405, 405, 405, 405)),
    "client/v4/accounts/{account}/ai/tomarkdown": ((405, 405, 405, 405), (401, 401, 401, 401)),
    "client/v4/accounts/{account}/ai/tomarkdown/supported": (
        (401, 401, 401, 401),
        (405, 405, 405, 405),
    ),
    "client/v4/accounts/{account}/tokens/verify": ((401, 401, 401, 401), (405, 405, 405, 405)),
    "client/v4/user/tokens/verify": ((401, 401, 401, 401), (405, 405, 405, 405)),
    "client/v4/{rest}": ((400, 400, 400, 400), (400, 400, 400, 400)),
    **dict.fromkeys(
        ["api/chat", "api/generate", "api/embed", "api/embeddings", "api/show"],
        ((405, 405, 405, 405), (401, 401, 401, 401)),
    ),
    **dict.fromkeys(
        ["api/tags", "api/ps", "api/version"], ((401, 401, 401, 401), (405, 405, 405, 405))
    ),
    **dict.fromkeys(MANAGED, ((403, 403, 403, 403), (403, 403, 403, 403))),
    **dict.fromkeys(["api", "api/", "api/{rest}"], ((404, 404, 404, 404), (404, 404, 404, 404))),
    "v1": ((404, 404, 404, 404), (404, 404, 404, 404)),
    "v1/": ((404, 404, 404, 404), (404, 404, 404, 404)),
    "v1/{rest}": ((404, 404, 404, 404), (404, 404, 404, 404)),
    **dict.fromkeys(
        ["chat/completions", "completions", "responses", "messages", "embeddings", "models"],
        ((404, 404, 404, 404), (404, 404, 404, 404)),
    ),
}
#: GET and POST with an API key. Everywhere else, a key is as good as nothing.
WITH_KEY: dict[str, tuple[int, int]] = {
    "v1/chat/completions": (405, 400),
    "v1/completions": (405, 400),
    "v1/audio/speech": (405, 400),
    "v1/audio/transcriptions": (405, 400),
    "v1/images/generations": (405, 400),
    "v1/embeddings": (405, 400),
    "v1/responses": (405, 400),
    "v1/messages": (405, 400),
    "v1/messages/count_tokens": (405, 400),
    "v1/models": (200, 405),
    "v1/models/{model}": (404, 405),
    "v1/vector_stores": (200, 405),
    "v1/vector_stores/{store}": (404, 405),
    **dict.fromkeys(
        ["api/chat", "api/generate", "api/embed", "api/embeddings", "api/show"], (405, 400)
    ),
    **dict.fromkeys(["api/tags", "api/ps", "api/version"], (200, 405)),
    **dict.fromkeys(SERVICE_ROUTES, (403, 405)),
    "client/v4/accounts/{account}/ai/run": (405, 400),
    "client/v4/accounts/{account}/ai/run/{model}": (405, 400),
    "client/v4/accounts/{account}/ai/v1/chat/completions": (405, 400),
    "client/v4/accounts/{account}/ai/v1/responses": (405, 400),
    "client/v4/accounts/{account}/ai/v1/embeddings": (405, 400),
    "client/v4/accounts/{account}/ai/v1/models": (200, 405),
    "client/v4/accounts/{account}/ai/models/search": (200, 405),
    "client/v4/accounts/{account}/ai/tomarkdown": (405, 400),
    "client/v4/accounts/{account}/ai/tomarkdown/supported": (200, 405),
    "client/v4/accounts/{account}/tokens/verify": (200, 405),
    "client/v4/user/tokens/verify": (200, 405),
}
