"""Released migrations stay as they are, and a release's database becomes that of this version.

docs/releasing.md says how the schema of a release is written.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from django.db import connection

from tests.support.database.previous_version import LATER_ROWS, Description, Rows
from tests.support.database.release_site import ReleaseSite, server_of_this_run
from tests.support.database.releases import (
    VENDORS,
    file_of,
    migrated_schema,
    migrations_of,
    newest,
    releases,
    whole_schema,
)
from tests.support.servers.server import ROOT

pytestmark = pytest.mark.django_db  # for runs on PostgreSQL, which choose by it
NewSite = Callable[..., ReleaseSite]
#: Its only row is replaced whenever the configuration changes.
CHANGING = "chat.ConfigVersion"
#: Only the sealing of the access log writes there.
EMPTY = {"chat.AuditSeal"}
UNDELETABLE = {"chat.AccessLogEntry", "chat.StaffAction"}


@pytest.fixture
def new_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NewSite]:
    """Return what makes databases of the kind that the tests run on, each with a process."""
    made = []

    def make(is_migrated: bool = False) -> ReleaseSite:
        folder = tmp_path_factory.mktemp("release")
        made.append(ReleaseSite(folder, server_of_this_run(), is_migrated))
        return made[-1]

    yield make
    for each in made:
        each.end()


def site_of(release: str, new_site: NewSite) -> ReleaseSite:
    """Return a database as the release left it, with rows of every model."""
    site = new_site()
    site.load(whole_schema(release, connection.vendor))
    site.call(f"add('{release}')")
    return site


def without_deletions(found: Description) -> Description:
    """Return the schema without what chat/database/cascades.py adds after the migrations."""
    return {name: re.sub(r"ON DELETE (CASCADE|SET NULL) ", "", sql) for name, sql in found.items()}


def changed(before: Rows, after: Rows) -> list[str]:
    """Return the rows that are gone, and those with a value that is another.

    Sizes are counted again by a migration; the rows of the release have made-up ones.
    """
    return [
        f"{name} {key}"
        for name, rows in before.items()
        for key, values in rows.items()
        if name in after.keys() - {CHANGING}
        and (key not in after[name] or not _kept(after[name][key]).items() <= values.items())
    ]


def _kept(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name != "stored_bytes"}


def test_each_version_in_the_changelog_has_its_schema() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    released = re.findall(r"^## (\S+) \(\d{4}-\d\d-\d\d\)$", changelog, re.MULTILINE)
    assert sorted(released) == sorted(releases())
    assert all(file_of(each, vendor).exists() for each in released for vendor in VENDORS)


@pytest.mark.parametrize("release", releases())
def test_released_migrations_create_what_they_created(release: str, new_site: NewSite) -> None:
    migrations = migrations_of(release)
    assert migrations == migrations_of(release, "postgresql")
    migrated, released = new_site(), new_site()
    migrated.call(f"apply({migrations})")
    released.load(migrated_schema(release, connection.vendor))
    found, expected = migrated.call("described()"), released.call("described()")
    assert without_deletions(found) == without_deletions(expected)


@pytest.mark.parametrize("release", releases())
def test_an_upgrade_gives_the_current_schema_and_keeps_the_rows(
    release: str, new_site: NewSite
) -> None:
    site = site_of(release, new_site)
    before = site.call(f"rows('{release}')")
    assert {name for name, rows in before.items() if not rows} == EMPTY
    site.call("migrate()")
    assert site.call("described()") == new_site(is_migrated=True).call("described()")
    assert changed(before, site.call(f"rows('{release}')")) == []


def test_the_previous_version_inserts_and_deletes_in_the_current_schema(new_site: NewSite) -> None:
    release = newest()
    site = site_of(release, new_site)
    before = site.call(f"rows('{release}')")
    site.call("migrate()")
    site.call("add_newer_rows()")
    site.call(f"add('{release}', {LATER_ROWS})")
    after = site.call(f"rows('{release}')")
    without_new = {name for name, rows in after.items() if not rows.keys() - before[name]}
    assert without_new - {CHANGING} == EMPTY
    site.call(f"delete('{release}')")
    left = site.call(f"rows('{release}')")
    assert {name for name, rows in left.items() if rows} == {CHANGING, *UNDELETABLE}
