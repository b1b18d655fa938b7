"""Log like the site (project/logs.py), without loading it."""

import json
import logging
from datetime import UTC, datetime


class _JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        return json.dumps(line, ensure_ascii=False)


def configure(log_format: str) -> None:
    """Log to standard error, as `line` or `json`."""
    handler = logging.StreamHandler()
    line = logging.Formatter("{asctime} {levelname} {name} {message}", style="{")
    handler.setFormatter(_JsonFormatter() if log_format == "json" else line)
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    logging.getLogger("asyncio").setLevel(logging.WARNING)
