"""Run the supervisor. `manage.py serve` replaces itself with this when everything is prepared."""

import argparse
import asyncio
import json
import logging
import resource
from datetime import UTC, datetime

from project.serving.listen_address import ListenAddress
from project.serving.supervisor import Plan, Supervisor

#: Enough for MAX_OPEN_STREAMS. Many systems start programs with 1024.
OPEN_FILES = 65536


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m project.serving", description=__doc__)
    parser.add_argument("--listen", action="append", required=True, type=ListenAddress.parse)
    parser.add_argument("--site-host", required=True)
    parser.add_argument("--drain-seconds", required=True, type=float)
    parser.add_argument("--worker-timeout-seconds", required=True, type=float)
    parser.add_argument("--log-format", default="line")
    parser.add_argument("--quiet", action="store_true", help="log only what goes wrong")
    parser.add_argument("prepare", nargs="+", help="the command before each rolling restart")
    args = parser.parse_args()
    _configure_log(args.log_format, logging.WARNING if args.quiet else logging.INFO)
    _allow_open_files()
    plan = Plan(
        args.listen,
        args.site_host,
        args.drain_seconds,
        args.worker_timeout_seconds,
        args.prepare,
    )
    asyncio.run(_supervise(plan))


async def _supervise(plan: Plan) -> None:
    await Supervisor(plan).run()


def _allow_open_files() -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OPEN_FILES if most == resource.RLIM_INFINITY else min(OPEN_FILES, most)
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


class _JsonFormatter(logging.Formatter):
    """Log like the site (project/logs.py), without loading it."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        return json.dumps(line, ensure_ascii=False)


def _configure_log(log_format: str, level: int) -> None:
    """Log to standard error, as `line` or `json`, from this level on."""
    handler = logging.StreamHandler()
    line = logging.Formatter("{asctime} {levelname} {name} {message}", style="{")
    handler.setFormatter(_JsonFormatter() if log_format == "json" else line)
    logging.basicConfig(level=level, handlers=[handler])
    logging.getLogger("asyncio").setLevel(logging.WARNING)


if __name__ == "__main__":
    main()
