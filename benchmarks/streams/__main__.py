"""What the whole path of a token, a turn and a page costs, beside nginx and stock Django.

`make bench`. One model's side for all; each server on one core, what measures on another. In each
repeat all servers are new, and take turns at each plan, so that all see the same machine. Prints
Markdown for docs/performance.md; what was measured goes to OUTPUT (build/streams.json), each repeat
by itself. Fails where an answer does. `SMALL=1` only shows that everything works; `REPEATS=5` takes
more; `ONLY="steady;short turn"` and `DATABASES=SQLite` take less.
"""

import json
import os
import platform
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.streams import load, pages, report, sizes
from benchmarks.streams.figures import figures_of, problem_of
from benchmarks.streams.pages import PageCost
from benchmarks.streams.programs import Upstream, nginx, stock_django, upstream
from benchmarks.streams.site import (
    STORED_KIND,
    TEMPORARY_KIND,
    UNTITLED_KIND,
    Site,
    site,
)
from benchmarks.streams.sizes import Size
from benchmarks.streams.targets import Target
from benchmarks.streams.usage import MEASURING_CORES, on
from tests.support.servers.server import ROOT

OUTPUT = Path(os.environ.get("OUTPUT", ROOT / "build" / "streams.json"))


@dataclass(frozen=True, slots=True)
class Servers:
    """All that run."""

    upstream: Upstream
    stock: Target
    targets: list[Target]
    sites: list[Site]


@dataclass(slots=True)
class Found:
    streams: report.Results = field(default_factory=dict)
    pages: report.PageResults = field(default_factory=dict)
    bare: list[PageCost] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


@contextmanager
def started(size: Size) -> Iterator[Servers]:
    with ExitStack() as stack:

        def folder() -> Path:
            return Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="runnel-bench-")))

        model = stack.enter_context(upstream())
        proxy = stack.enter_context(nginx(model, folder()))
        stock = stack.enter_context(stock_django(model, folder()))
        sites, ours = [], []
        for database in size.databases:
            shipped = stack.enter_context(site(database, model, folder(), size))
            untitled = stack.enter_context(
                site(database, model, folder(), size, TITLE_MODEL="none")
            )
            sites.append(shipped)
            ours += [shipped.target(TEMPORARY_KIND), shipped.target(STORED_KIND)]
            ours.append(untitled.target(UNTITLED_KIND))
        yield Servers(model, stock, [*filter(None, [proxy]), stock, *ours], sites)


def measure_streams(servers: Servers, size: Size, found: Found) -> None:
    for target in servers.targets:  # what is made at the first request is made
        servers.upstream.set_pace(0, 3)
        load.run(target, load.Plan(5, 0, 3, rounds=2), servers.upstream.pid)
    for name, plan in size.plans.items():
        for target in servers.targets:
            _tell(f"{name}: {target.name}")
            servers.upstream.set_pace(plan.rate, plan.tokens)
            run = load.run(target, plan, servers.upstream.pid)
            runs = found.streams.setdefault(target.name, {}).setdefault(name, [])
            runs.append(figures_of(plan, run))
            if problem := problem_of(plan, run):
                _tell(problem)
                found.problems.append(f"{target.name}, {name}: {problem}")


def measure_pages(servers: Servers, size: Size, found: Found) -> None:
    found.bare.append(pages.bare(servers.stock, size.gets))
    for each in servers.sites:
        _tell(f"pages: {each.database}")
        kept = found.pages.setdefault(each.database, {})
        for page, cost in pages.costs(each, size.gets).items():
            kept.setdefault(page, []).append(cost)


def main() -> int:
    size, found = sizes.wanted(), Found()
    if only := os.environ.get("ONLY"):
        size = replace(size, plans={name: size.plans[name] for name in only.split(";")})
    for repeat in range(size.repeats):
        _tell(f"Repeat {repeat + 1} of {size.repeats}")
        with started(size) as servers, on(MEASURING_CORES):
            measure_streams(servers, size, found)
            measure_pages(servers, size, found)
    print(f"{_machine()}; medians of {size.repeats}\n")
    if "nginx" not in found.streams:
        print("There is no nginx on this machine: multiples are of stock Django.\n")
    print(report.streams(found.streams), "\n")
    print(report.pages(found.pages, found.bare), "\n")
    OUTPUT.parent.mkdir(parents=True, exist_ok=True)
    OUTPUT.write_text(json.dumps(asdict(found), indent=1))
    print("\n".join(found.problems) or "Every answer came whole and in order.")
    return 1 if found.problems else 0


def _machine() -> str:
    now = datetime.now(UTC)
    return (
        f"{now:%Y-%m-%d %H:%M} UTC, {os.cpu_count()} cores, {platform.machine()},"
        f" Python {platform.python_version()}, load {os.getloadavg()[0]:.1f}"
    )


def _tell(what: str) -> None:
    print(what, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
