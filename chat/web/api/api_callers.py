"""Identify the program behind a request by its API key, and limit wrong keys by address."""

from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from chat.accounts.principals import Principal, address_for_limits
from chat.api_keys import keys, last_used
from chat.api_keys.errors import InvalidApiKey
from chat.api_keys.models import ApiKey
from chat.database import threads
from chat.errors import UnknownModel
from chat.generations.model_permissions import ModelNotAllowed, allowed_to, find, may_use_all
from chat.lib.catalogue import MediaModel, MediaTask, Model
from chat.lib.limits import WindowCounters
from chat.quotas.units import KINDS, Measure
from chat.upstream import available_models

MAX_WRONG_KEYS_PER_MINUTE = 20

MAX_SHOWN_MODEL_CHARS = 100

wrong_keys = WindowCounters("api_keys", MAX_WRONG_KEYS_PER_MINUTE)

View = Callable[..., Coroutine[Any, Any, HttpResponseBase]]


@dataclass(frozen=True, slots=True)
class ApiCaller:
    """A program, and the key it uses."""

    key: ApiKey
    principal: Principal

    @property
    def member(self) -> str:
        """Return the key of the program's owner, for limits that all of their keys share."""
        return f"user:{self.key.owner_id}"

    def models(self) -> dict[str, Model]:
        """Return the models that the program may use, by id. Reads the database."""
        allowed = allowed_to(self.key.owner_id)
        named = set(self.key.allowed_models)
        return {name: allowed[name] for name in allowed if name in named} if named else allowed

    def find_model(self, wanted: str) -> Model:
        """Return the model with this id. Raise `UnknownModel` or `ModelNotAllowed`."""
        try:
            model = find(self.key.owner_id, wanted)
        except UnknownModel:
            raise unknown_model(wanted) from None
        if self.key.allowed_models and model.id not in self.key.allowed_models:
            raise ModelNotAllowed
        return model

    def find_embedding_model(self, wanted: str) -> Model:
        """Return the embedding model with this id. Raise `UnknownModel` or `ModelNotAllowed`.

        Groups and keys that are restricted to some models name chat models only.
        """
        try:
            model = available_models.find_embedding_model(wanted)
        except UnknownModel:
            raise unknown_model(wanted) from None
        self._require_all_models()
        return model

    def embedding_models(self) -> dict[str, Model]:
        """Return the embedding models that the program may use, by id. Reads the database."""
        return available_models.embedding_models() if self._may_use_all() else {}

    def find_media_model(self, wanted: str, task: MediaTask) -> MediaModel:
        """Return an audio or image model. Raise `UnknownModel` or `ModelNotAllowed`.

        Restrictions hold as for embedding models.
        """
        try:
            model = available_models.find_media_model(wanted, task)
        except UnknownModel:
            raise unknown_model(wanted) from None
        self._require_all_models()
        return model

    def _require_all_models(self) -> None:
        if not self._may_use_all():
            raise ModelNotAllowed

    def _may_use_all(self) -> bool:
        return not self.key.allowed_models and may_use_all(self.key.owner_id)


def for_programs(*methods: str) -> Callable[[View], View]:
    """Decorate a view for programs with a key; it receives the `ApiCaller`."""

    def decorate(view: View) -> View:
        @csrf_exempt  # no cookie authenticates these requests
        @require_http_methods(list(methods))
        @wraps(view)
        async def called(request: HttpRequest, **named: Any) -> HttpResponseBase:
            return await view(request, await caller_of(request), **named)

        return called

    return decorate


async def caller_of(request: HttpRequest) -> ApiCaller:
    """Return the program that sent the request.

    Raise `InvalidApiKey`, or `RateLimitExceeded` for an address that keeps sending wrong keys; its
    valid keys still work.
    """
    with limiting_wrong_keys(request):
        key = await threads.readers.run(keys.find, key_in(request))
    record_caller(request, key)
    return ApiCaller(key, _principal(key, address_for_limits(request)))


@contextmanager
def limiting_wrong_keys(request: HttpRequest) -> Iterator[None]:
    """Count a wrong key against the address that sent it. Raise `RateLimitExceeded`."""
    try:
        yield
    except InvalidApiKey:
        address = address_for_limits(request)
        wrong_keys.require(address)
        wrong_keys.add(address)
        raise


def record_caller(request: HttpRequest, key: ApiKey) -> None:
    """Note that the key was used, and for the request log, by whom."""
    last_used.record_use(key.pk)
    request.asker_id = key.owner_id  # type: ignore[attr-defined]


def unknown_model(wanted: str) -> UnknownModel:
    """Return the error that names the model: some programs ask for a second one by themselves."""
    return UnknownModel(f"The model {wanted[:MAX_SHOWN_MODEL_CHARS]!r} isn't available here.")


def _principal(key: ApiKey, address: str) -> Principal:
    most = key.monthly_usd
    parts = KINDS[Measure.DOLLARS].parts
    return Principal(
        key=f"api_key:{key.pk}",
        user_id=key.owner_id,
        address=address,
        api_key_id=key.pk,
        api_key_microdollars=None if most is None else int(most * parts),
    )


def key_in(request: HttpRequest) -> str:
    """Return the bearer token, or the key where Anthropic's clients send it."""
    scheme, _space, token = request.headers.get("Authorization", "").partition(" ")
    bearer = token.strip() if scheme.lower() == "bearer" else ""
    return bearer or request.headers.get("X-Api-Key", "").strip()
