"""What is logged, and how: ids, codes and sizes (project/logs.py)."""

from typing import Any

from project.config.env import env_choice


def read() -> dict[str, Any]:
    """Django's `LOGGING`, from the environment."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"discretion": {"()": "project.logs.Discretion"}},
        "formatters": {
            "line": {"()": "project.logs.LineFormatter"},
            "json": {"()": "project.logs.JsonFormatter"},
        },
        "handlers": {
            "console": {
                "class": "logging.StreamHandler",
                "formatter": env_choice("LOG_FORMAT", ("line", "json"), "line"),
                "filters": ["discretion"],
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
            # uvicorn's own handlers know no discretion, and its lines about requests hold paths.
            "uvicorn": {"handlers": [], "propagate": True},
            "uvicorn.error": {"handlers": [], "propagate": True},
            "uvicorn.access": {"handlers": [], "propagate": False, "level": "CRITICAL"},
        },
    }
