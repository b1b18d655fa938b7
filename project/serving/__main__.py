"""Run the supervisor. `manage.py serve` replaces itself with this when everything is prepared."""

import argparse
import asyncio
import resource

from project.serving import supervisor_log
from project.serving.listen_address import ListenAddress
from project.serving.supervisor import Plan, Supervisor

#: Enough for MAX_OPEN_STREAMS. Many systems start programs with 1024.
OPEN_FILES = 65536


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m project.serving", description=__doc__)
    parser.add_argument("--listen", action="append", required=True, type=ListenAddress.parse)
    parser.add_argument("--site-host", required=True)
    parser.add_argument("--drain-seconds", required=True, type=float)
    parser.add_argument("--log-format", default="line")
    parser.add_argument("prepare", nargs="+", help="the command before each rolling restart")
    given = parser.parse_args()
    supervisor_log.configure(given.log_format)
    _allow_open_files()
    asyncio.run(_supervise(Plan(given.listen, given.site_host, given.drain_seconds, given.prepare)))


async def _supervise(plan: Plan) -> None:
    await Supervisor(plan).run()


def _allow_open_files() -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OPEN_FILES if most == resource.RLIM_INFINITY else min(OPEN_FILES, most)
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


if __name__ == "__main__":
    main()
