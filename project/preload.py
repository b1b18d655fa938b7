"""Load what requests need from the release before the process is ready.

An upgrade replaces the files of the release while processes of the old version serve. What they
loaded later would be of the new version, and not fit what they have: a template with a tag that
their libraries lack, a module with an import that is gone. So a process that is ready reads none of
these files. Static files are another matter: project/static.py.
"""

from importlib import import_module
from itertools import chain

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

#: What libraries import when they first need it.
IMPORTED_LATE = (
    "allauth.account.auth_backends",
    "django.conf.urls",
    "django.contrib.admin.forms",
    "idna.uts46data",
    "qrcode.image.svg",
)
IMPORTED_WITH_POSTGRESQL = ("chat.database.postgresql.server_problem",)
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
    for name in (settings.EMAIL_BACKEND, settings.EMULATOR_TRANSPORT, settings.MESSAGE_STORAGE):
        import_string(name)
    get_channel_layer()
    trust_store()
    release_files.read_all()


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
