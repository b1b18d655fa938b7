"""Configure what is logged, and how: IDs, codes and sizes (project/logs.py)."""

from typing import Any

from project.config.env import env_choice

#: They log the same line again and again during an outage, or when a scanner passes by.
REPEATING = (
    "chat.error_responses",
    "chat.generations.process.server_process",
    "django.security.DisallowedHost",
    "psycopg.pool",
)


def read() -> dict[str, Any]:
    """Return Django's `LOGGING`, from the environment."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {
            "discretion": {"()": "project.logs.Discretion"},
            "repeats": {"()": "project.log_repeats.Repeats", "loggers": REPEATING},
        },
        "formatters": {
            "line": {"()": "project.logs.LineFormatter"},
            "json": {"()": "project.logs.JsonFormatter"},
        },
        "handlers": {
            "console": {
                "class": "logging.StreamHandler",
                "formatter": env_choice("LOG_FORMAT", ("line", "json"), "line"),
                "filters": ["discretion", "repeats"],
            }
        },
        "root": {
            "handlers": ["console"],
            "level": env_choice("LOG_LEVEL", ("debug", "info", "warning", "error"), "info").upper(),
        },
        "loggers": {
            "django.request": {"level": "ERROR"},
            "daphne": {"level": "WARNING"},
            "httpx": {"level": "WARNING"},
            "asyncio": {"level": "INFO"},
            # uvicorn's own handlers do not filter, and its request lines contain paths.
            "uvicorn": {"handlers": [], "propagate": True},
            "uvicorn.error": {"handlers": [], "propagate": True},
            "uvicorn.access": {"handlers": [], "propagate": False, "level": "CRITICAL"},
        },
    }
