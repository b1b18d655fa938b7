"""Backups that somebody else has made or changed, given to an operator who restores them.

Whoever can write to the place where backups are kept, or sends one to be looked at, must not write
outside the staging folder, fill the memory or the disk, or change anything with a backup that is
refused. A refusal is a sentence.
"""

import sqlite3
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
from django.conf import settings as site
from django.core.management import call_command
from django.db import connection

from chat.accounts.models import User
from chat.backup import archive, encrypted_file, sqlite_copy
from chat.backup.create import back_up
from chat.backup.errors import BackupError
from chat.backup.manifest import Part, decode, encode
from chat.conversations.models import Conversation
from tests.support.attacks.chance import chance, naming
from tests.support.attacks.changed_backups import (
    described,
    files,
    made,
    no_file_above,
    packed,
    pax,
    refusal,
    sparse,
)
from tests.support.variants import examples

pytestmark = pytest.mark.quick

PASSPHRASE = "a long walk by the sea"
DATABASE = "database.sqlite3"


@pytest.fixture
def alice(transactional_db: None) -> User:
    return User.objects.create_user("alice@example.org", "correct horse", name="Alice")


@pytest.fixture
def outside(alice: User, tmp_path: Path) -> Iterator[Path]:
    """Return a folder, and expect that restoring changes nothing in it, in DATA_DIR or the database."""
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "present").write_text("as it was")
    before = files(folder)
    yield folder
    assert files(folder) == before
    assert list(User.objects.values_list("email", flat=True)) == [alice.email]


PATHS = ["../outside/new", "{outside}/new", "files/../../outside/new", "./../outside/new", "files/./x/../../../outside/new", "..", "/", ".", "//new", "files/secret_key/x", "a\nb", "x" * 300]  # fmt: skip


@pytest.mark.parametrize("name", PATHS)
def test_no_name_leads_outside_even_if_the_manifest_knows_it(
    name: str, outside: Path, tmp_path: Path
) -> None:
    """Guards `_is_safe`, and that a file is never taken for a folder."""
    contents = made(tmp_path) | {"files/secret_key": b"k" * 50}
    packed(tmp_path / "bad", described(contents | {name.format(outside=outside): b"new"}))
    refusal(tmp_path / "bad")


LINKS = {"symbolic": tarfile.SYMTYPE, "hard": tarfile.LNKTYPE, "fifo": tarfile.FIFOTYPE, "device": tarfile.CHRTYPE, "block": tarfile.BLKTYPE, "folder": tarfile.DIRTYPE}  # fmt: skip


@pytest.mark.parametrize("kind", LINKS)
@pytest.mark.parametrize("place", ["files", "files/secret_key", "files/mail", archive.MANIFEST])
def test_links_and_devices_are_refused(
    kind: str, place: str, outside: Path, tmp_path: Path
) -> None:
    """Guards that only ordinary files are extracted, also where the manifest expects one."""
    contents = made(tmp_path)
    member = tarfile.TarInfo(place)
    member.type, member.linkname = LINKS[kind], str(outside / "present")
    known = described(contents | {place: b""}) if place != archive.MANIFEST else {}
    known.pop(place, None)
    packed(tmp_path / "bad", known, (member, b""))
    refusal(tmp_path / "bad")


@pytest.mark.parametrize("claimed", [40_000_000, 2**40])
def test_a_small_file_does_not_become_a_large_one(
    claimed: int, outside: Path, tmp_path: Path
) -> None:
    """Guards the disk: a part is written as long as the manifest says, and is no sparse file."""
    contents = made(tmp_path)
    for size in (5, claimed):
        manifest = decode(contents[archive.MANIFEST])
        manifest.parts.append(Part("files/mail/x", size, "0" * 64))
        changed = contents | {archive.MANIFEST: encode(manifest)}
        packed(tmp_path / "bad", changed, sparse("files/mail/x", claimed))
        with no_file_above(2 * max(map(len, contents.values()))):
            assert "too large" not in refusal(tmp_path / "bad")


HEADERS = [
    {"GNU__sparse__map": "x,y"}, {"GNU__sparse__map": "1,-5", "GNU__sparse__size": "-1"}, {"size": "-1"}, {"size": "x"}, {"size": "9" * 30},
    {"path": "a\0b"}, {"path": "files/\udcff"}, {"mtime": "nan"}, {"GNU__sparse__major": "1", "GNU__sparse__minor": "0"},
    {"hdrcharset": "BINARY", "path": "\udcff"}, {"linkpath": "/etc/passwd"},
]  # fmt: skip


@pytest.mark.parametrize("headers", HEADERS, ids=str)
def test_headers_of_members_that_are_no_numbers_or_names(
    headers: dict[str, str], outside: Path, tmp_path: Path
) -> None:
    """Guards that what `tarfile` raises becomes a sentence."""
    packed(tmp_path / "bad", made(tmp_path), pax("files/mail", **headers))
    refusal(tmp_path / "bad")


def test_endless_headers_of_one_member(outside: Path, tmp_path: Path) -> None:
    """Guards the stack: `tarfile` reads each extended header inside the one before."""
    path = packed(tmp_path / "bad", made(tmp_path))
    header = tarfile.TarInfo("././@LongLink")
    header.type, header.size = tarfile.GNUTYPE_LONGNAME, 2
    block = header.tobuf(tarfile.GNU_FORMAT) + b"x\0".ljust(512, b"\0")
    path.write_bytes(block * 5000 + path.read_bytes())
    refusal(path)


def test_swapped_doubled_and_missing_members(outside: Path, tmp_path: Path) -> None:
    """Guards the digests, and that each part comes once."""
    contents = described(
        made(tmp_path) | {"files/secret_key": b"a" * 50, "files/audit_seals.txt": b"b" * 50}
    )
    swapped = contents | {
        "files/secret_key": contents["files/audit_seals.txt"],
        "files/audit_seals.txt": contents["files/secret_key"],
    }
    assert "not as it was" in refusal(packed(tmp_path / "swapped", swapped))
    twice = tarfile.TarInfo("files/secret_key")
    twice.size = 50
    assert "should not" in refusal(packed(tmp_path / "twice", contents, (twice, b"a" * 50)))
    first = next(name for name in contents if name.startswith(("database", "tables/")))
    less = {name: data for name, data in contents.items() if name != first}
    assert "missing" in refusal(packed(tmp_path / "less", less))
    last = {
        name: contents[name] for name in sorted(contents, key=lambda each: each == archive.MANIFEST)
    }
    refusal(packed(tmp_path / "last", last))


def test_a_manifest_that_describes_something_else(outside: Path, tmp_path: Path) -> None:
    """Guards the comparison with the database itself: its rows and its migrations."""
    contents = made(tmp_path)
    facts = decode(contents[archive.MANIFEST]).database
    rows = facts.rows | {"chat_user": 0}
    assert "other rows" in refusal(packed(tmp_path / "rows", described(contents, rows=rows)))
    fewer = facts.migrations | {"chat": facts.migrations["chat"][:1]}
    refusal(packed(tmp_path / "fewer", described(contents, migrations=fewer)))
    unknown = facts.migrations | {"chat": ["9999_later", "x'; DROP TABLE chat_user; --"]}
    refusal(packed(tmp_path / "unknown", described(contents, migrations=unknown)))
    refusal(packed(tmp_path / "kind", described(contents, kind="oracle")))


STATEMENTS = {
    "no migrations": "DROP TABLE django_migrations", "migrations in bytes": "UPDATE django_migrations SET app = x'ff'",
    "a migration missing": "DELETE FROM django_migrations WHERE app = 'chat' AND name LIKE '0001%'",
    "a statement as a name": 'CREATE TABLE "a""; DROP TABLE chat_user; --" (a)',
    "a view that never ends": "CREATE VIEW chat_new AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) SELECT x FROM n",
}  # fmt: skip


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL's backups have no such file")
@pytest.mark.parametrize("what", STATEMENTS)
def test_sql_in_a_database_file(what: str, outside: Path, tmp_path: Path) -> None:
    """Guards that names in the file are no statements, and that its facts are compared."""
    contents = made(tmp_path)
    (tmp_path / "db").write_bytes(contents[DATABASE])
    with closing(sqlite3.connect(tmp_path / "db")) as database, database:
        database.execute(STATEMENTS[what])
        if "view" in what:
            database.execute("DROP TABLE chat_user")
    facts = {}
    with suppress(BackupError, TypeError):
        found = sqlite_copy.examine(tmp_path / "db")
        facts = {"rows": found.rows} | (
            {"migrations": found.migrations} if "missing" in what else {}
        )
    changed = contents | {DATABASE: (tmp_path / "db").read_bytes()}
    words = refusal(packed(tmp_path / "bad", described(changed, **facts)))
    assert "django.db" not in words


def test_statements_in_chats_are_restored_as_texts(alice: User, tmp_path: Path) -> None:
    """Guards both databases: what looks like the end of COPY, or like SQL, stays text."""
    titles = [
        "\\.",
        "'); DROP TABLE chat_user; --",
        "a\tb\\N\\n",
        "\\\\.",
        "$$; SELECT 1 $$",
        "\u202e\u2028",
    ]
    for title in titles:
        Conversation.objects.create(owner=alice, title=title)
    back_up(tmp_path / "good", None)
    Conversation.objects.all().delete()
    call_command("restore", str(tmp_path / "good"), "--replace", verbosity=0)
    assert sorted(Conversation.objects.values_list("title", flat=True)) == sorted(titles)


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite is restored as a file")
def test_a_manifest_can_not_name_tables_of_others(outside: Path, tmp_path: Path) -> None:
    """Guards what is truncated and loaded: only tables that are the site's."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE IF NOT EXISTS payroll (salary int)")
        cursor.execute("TRUNCATE payroll")
        cursor.execute("INSERT INTO payroll VALUES (5)")
    contents = made(tmp_path)
    facts = decode(contents[archive.MANIFEST]).database
    for name in ("payroll", "../files/secret_key", 'chat_user"; DROP TABLE payroll; --'):
        columns = facts.columns | {name: ["salary"]}
        added = contents | {f"tables/{name}": b"9000\n"} if name == "payroll" else contents
        refusal(packed(tmp_path / f"bad{len(name)}", described(added, columns=columns)))
    missing = {name: data for name, data in contents.items() if name != "tables/chat_user"}
    refusal(packed(tmp_path / "missing", described(missing)))
    for name in ("payroll_seq", 'a"."b', "chat_user_id_seq'; --"):
        sequences = facts.sequences | {name: (1, True)}
        refusal(packed(tmp_path / f"seq{len(name)}", described(contents, sequences=sequences)))
    with connection.cursor() as cursor:
        cursor.execute("SELECT salary FROM payroll")
        assert cursor.fetchall() == [(5,)]
        cursor.execute("DROP TABLE payroll")


@pytest.mark.parametrize("cost", [(20, 255, 1), (10, 255, 255), (17, 8, 200), (17, 200, 1), (0, 8, 1), (30, 8, 1), (10, 0, 0)])  # fmt: skip
def test_the_header_of_an_encrypted_backup_can_not_ask_for_all_memory(
    cost: tuple[int, int, int], outside: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Guards scrypt's three costs: with two of them at 255, one file would take 34 GB."""
    monkeypatch.setattr(encrypted_file, "LOG_N", 10)
    back_up(tmp_path / "good", PASSPHRASE)
    data = (tmp_path / "good").read_bytes()
    at = len(encrypted_file.MAGIC)
    (tmp_path / "bad").write_bytes(data[:at] + bytes(cost) + data[at + 3 :])
    with monkeypatch.context() as patched:
        patched.setattr(encrypted_file, "Scrypt", None)  # it must not get that far
        patched.setattr(site, "BACKUP_PASSPHRASE", PASSPHRASE)
        assert "damaged" in refusal(tmp_path / "bad")


@pytest.mark.parametrize("is_encrypted", [False, True])
def test_random_changes_are_refused(
    is_encrypted: bool, outside: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Guards every byte that is read before a digest is known: headers, names, the manifest."""
    monkeypatch.setattr(encrypted_file, "LOG_N", 10)
    back_up(tmp_path / "good", PASSPHRASE if is_encrypted else None)
    parts = archive.read(tmp_path / "good", outside.parent / "read", PASSPHRASE).parts
    good, random = (tmp_path / "good").read_bytes(), chance()
    for _each in range(examples(500)):
        data = bytearray(good)
        for _change in range(random.randint(1, 4)):
            data[random.randrange(min(len(data), 8000))] ^= 1 << random.randrange(8)
        if data == good or random.random() < 0.2:
            data = data[: random.randrange(len(data) - 1)]
        (tmp_path / "bad").write_bytes(data)
        folder = Path(tempfile.mkdtemp(dir=tmp_path))
        with naming(bytes(data[:8000]).hex()), suppress(BackupError):
            assert archive.read(tmp_path / "bad", folder, PASSPHRASE).parts == parts
            assert not is_encrypted
