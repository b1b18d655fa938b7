"""Load what requests need from the release before the process is ready.

An upgrade replaces the files of the release while processes of the old version serve. What they
loaded later would be of the new version, and not fit what they have: a template with a tag that
their libraries lack, a module with an import that is gone. So a process that is ready reads none of
these files. Static files are another matter: project/static.py.
"""

from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from itertools import chain
from typing import Any

from channels.layers import get_channel_layer
from django.conf import settings
from django.contrib.auth.password_validation import get_default_password_validators
from django.contrib.staticfiles.storage import staticfiles_storage
from django.db import connection
from django.template import engines
from django.template.backends.django import DjangoTemplates
from django.urls import get_callable, get_resolver
from django.utils.formats import get_format_modules
from django.utils.module_loading import import_string
from django.utils.translation import trans_real

from chat.lib import release_files
from chat.lib.trust_store import trust_store
from chat.templatetags.lucide import read_icons
from project.template_loader import KeepingLoader

#: What libraries import when they first need it, and what takes commands too long to import.
IMPORTED_LATE = (
    "allauth.account.auth_backends",
    "chat.knowledge.search",
    "django.conf.urls",
    "django.contrib.admin.forms",
    "idna.uts46data",
    "py3langid.langid",
    "qrcode.image.svg",
)
IMPORTED_WITH_POSTGRESQL = ("chat.database.postgresql.server_problem",)
#: Settings that name what only tests and development need.
NEVER_SERVED = {"STATICFILES_FINDERS", "TEST_RUNNER"}
PACKAGES = {"chat", "django", "project"}
#: Status codes with a handler in ROOT_URLCONF.
HANDLED = (400, 403, 404, 500)


def preload() -> None:
    """Load templates, catalogues, formats, the static files' names, and late imports."""
    late = IMPORTED_WITH_POSTGRESQL if connection.vendor == "postgresql" else ()
    for name in (*IMPORTED_LATE, *late):
        import_module(name)
    _keep_templates()
    for language, _name in settings.LANGUAGES:
        trans_real.translation(language)
        get_format_modules(language)
    staticfiles_storage.exists("")  # any call makes the storage read its manifest
    get_default_password_validators()
    for code in HANDLED:
        get_resolver().resolve_error_handler(code)
    get_callable(settings.CSRF_FAILURE_VIEW)
    _import_what_settings_name()
    get_channel_layer()
    trust_store()
    release_files.read_all()


def _import_what_settings_name() -> None:
    """Import classes and functions of ours and of Django that settings name, such as FORM_RENDERER.

    Most are imported when they are first used.
    """
    for setting in dir(settings):
        if setting.isupper() and setting not in NEVER_SERVED:
            for name in _texts(getattr(settings, setting)):
                package, *names = name.split(".")
                if package in PACKAGES and names and all(map(str.isidentifier, names)):
                    with suppress(ImportError):  # a logger, or a module
                        import_string(name)


def _texts(value: Any) -> Iterator[str]:
    """Yield the texts in a setting's value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from chain.from_iterable(map(_texts, chain(value, value.values())))
    elif isinstance(value, list | tuple | set | frozenset):
        yield from chain.from_iterable(map(_texts, value))


def _keep_templates() -> None:
    """Keep the sources of all templates, and load what all pages need to be rendered.

    Compiling all templates would take a second.
    """
    texts: list[str] = []
    for engine in engines.all():
        if not isinstance(engine, DjangoTemplates):
            continue
        loaders = chain.from_iterable(
            getattr(each, "loaders", [each]) for each in engine.engine.template_loaders
        )
        for loader in loaders:
            if isinstance(loader, KeepingLoader):
                texts += loader.keep_all().values()
        _ = engine.engine.template_context_processors  # imported with the first page otherwise
    read_icons(texts)
