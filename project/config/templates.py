"""Configure how templates are loaded. Part of settings.py."""

from pathlib import Path
from typing import Any

#: With DEBUG, errors name the lines of the file, and changed files are noticed.
LOADERS = {
    True: (
        "django.template.loaders.cached.Loader",
        [
            "django.template.loaders.filesystem.Loader",
            "django.template.loaders.app_directories.Loader",
        ],
    ),
    False: (
        "project.template_folding.FoldingLoader",
        ["project.template_loader.KeepingLoader", "project.template_loader.AppLoader"],
    ),
}


def templates(folder: Path, *, is_debugging: bool) -> list[dict[str, Any]]:
    """Return the setting TEMPLATES for the templates in `folder` and those of apps."""
    return [
        {
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "DIRS": [folder],
            "OPTIONS": {
                "loaders": [LOADERS[is_debugging]],
                "context_processors": [
                    "django.template.context_processors.request",
                    "django.contrib.auth.context_processors.auth",
                    "django.contrib.messages.context_processors.messages",
                    "csp.context_processors.nonce",
                    "chat.web.http.context_processors.site",
                ],
            },
        }
    ]
