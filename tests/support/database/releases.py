"""Read the schemas of released versions, which release_schema.py writes to tests/fixtures/releases."""

import re
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "fixtures" / "releases"
VENDORS = ("sqlite", "postgresql")
#: Divides what the migrations create from what the code adds after them.
AFTER_MIGRATIONS = "-- What the code adds after the migrations.\n"
RECORDS = "-- The migrations.\n"
#: A migration as the fixtures record it.
RECORD = re.compile(
    r"^INSERT INTO django_migrations .* VALUES \('(\w+)', '(\w+)', .*\);$", re.MULTILINE
)


def releases() -> list[str]:
    """Return the released versions, the oldest first."""
    found = [each.name for each in FOLDER.iterdir()]
    return sorted(found, key=lambda name: [int(part) for part in name.split(".")])


def newest() -> str:
    """Return the release that runs with this schema during an upgrade, and after a roll-back."""
    return releases()[-1]


def file_of(release: str, vendor: str) -> Path:
    """Return the path of a fixture; `vendor` is one of VENDORS."""
    return FOLDER / release / f"{vendor}.sql"


def migrations_of(release: str, vendor: str = "sqlite") -> list[tuple[str, str]]:
    """Return app and name of each migration of a release, sorted."""
    return RECORD.findall(file_of(release, vendor).read_text(encoding="utf-8"))


def whole_schema(release: str, vendor: str) -> str:
    """Return statements that create the release's database, with the record of its migrations."""
    return file_of(release, vendor).read_text(encoding="utf-8")


def migrated_schema(release: str, vendor: str) -> str:
    """Return statements that create what the release's migrations create."""
    return whole_schema(release, vendor).partition(AFTER_MIGRATIONS)[0]
