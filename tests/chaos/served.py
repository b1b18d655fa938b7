"""Let `manage.py serve` run several workers on the stores of a site, in place of its process."""

import itertools
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from tests.chaos.bench import Bench
from tests.chaos.site import prepared_site
from tests.chaos.watched_log import WatchedLog
from tests.support.database import database_templates
from tests.support.servers.copied_release import CopiedRelease
from tests.support.servers.newer_release import make_newer
from tests.support.servers.served_site import ServedSite


class Front:
    """What clients reach in place of a process: one of `urls` after the other."""

    def __init__(self, urls: Sequence[str], log: Path) -> None:
        self._urls, self._watched_log = itertools.cycle(urls), WatchedLog(log)

    @property
    def url(self) -> str:
        return next(self._urls)

    def new_worries(self) -> list[str]:
        return self._watched_log.new_worries()


@contextmanager
def served(bench: Bench, workers: int, **settings: str) -> Iterator[tuple[ServedSite, Bench]]:
    """Serve the same data with so many workers until the end of the block."""
    bench.site.first.end()
    try:
        with _serving(bench, workers, None, **settings) as site:
            yield site, _in_front(bench, site)
    finally:
        bench.site.first.start()


@contextmanager
def served_release(
    bench: Bench, workers: int, *, is_newer: bool, **settings: str
) -> Iterator[tuple[ServedSite, Bench, CopiedRelease, CopiedRelease]]:
    """Serve a site of its own from a copy of the release, of this version or the next one.

    The last value yielded is a copy of the other version, which the release may `take`.
    """
    with (
        tempfile.TemporaryDirectory(prefix="runnel-releases-") as name,
        prepared_site(bench.upstream.url, bench.site.stores.kind) as own,
    ):
        release = CopiedRelease(Path(name) / "release")
        other = CopiedRelease(Path(name) / "other")
        make_newer((release if is_newer else other).folder)
        there = replace(bench, site=own)
        bench.upstream.witness(own.database)
        try:
            with _serving(there, workers, release, **settings) as site:
                yield site, _in_front(there, site), release, other
        finally:
            bench.upstream.witness(bench.site.database)


@contextmanager
def _serving(
    bench: Bench, workers: int, release: CopiedRelease | None, **settings: str
) -> Iterator[ServedSite]:
    with tempfile.TemporaryDirectory(prefix="runnel-static-") as name:
        static = Path(name) / "static"
        database_templates.copy_static(static)
        settings = bench.site.settings | {"STATIC_DIR": str(static)} | settings
        site = ServedSite(bench.site.folder, workers, **settings)
        if release:
            site.python, site.release = release.python, release.folder
            site.environment |= release.environment
        try:
            site.start()
            yield site
        finally:
            site.end()


def _in_front(bench: Bench, site: ServedSite) -> Bench:
    """Return the same bench, whose clients reach the workers of `site`."""
    front = Front([f"http://127.0.0.1:{port}" for port in site.ports], site.log)
    return replace(bench, site=replace(bench.site, processes=[front]))  # type: ignore[list-item]
