"""Read where the site keeps its files, and keep private ones from being served."""

import os
from pathlib import Path
from typing import Any

from chat.lib import new_files
from project.config.audit_log import AUDIT_LOG_TO
from project.config.env import (
    PROJECT_DIR,
    READ,
    env_file_path,
    env_folder,
    in_project,
    require_folder,
    stop,
)


def _data_dir() -> Path:
    path = env_folder("DATA_DIR", "var")
    try:
        if not path.exists():
            path.mkdir(parents=True, exist_ok=True, mode=0o700)
            new_files.note(path)
    except OSError as error:
        stop("DATA_DIR", f"names a folder that can't be created ({error.strerror}): {path}")
    return path


DATA_DIR = _data_dir()
EMAIL_FILE_PATH = DATA_DIR / "mail"  # used without a mail server
require_folder("DATA_DIR", EMAIL_FILE_PATH)
#: Seals of the audit log, outside the database.
AUDIT_SEALS_PATH = env_file_path("AUDIT_SEALS_PATH", DATA_DIR / "audit_seals.txt")
STATIC_ROOT = env_folder("STATIC_DIR", DATA_DIR / "static")


def require_private(databases: dict[str, dict[str, Any]]) -> None:
    """Abort startup if a private file is where everybody can read it. Call it after all settings.

    Whatever is in the folder of static files is served.
    """
    private = [PROJECT_DIR, DATA_DIR, EMAIL_FILE_PATH, Path(AUDIT_SEALS_PATH)]
    private += [Path(each["NAME"]) for each in databases.values() if "sqlite" in each["ENGINE"]]
    if AUDIT_LOG_TO.startswith("/"):
        private.append(Path(AUDIT_LOG_TO))
    for name in READ:
        if name.endswith("_FILE") and (path := os.environ.get(name, "").strip()):
            private.append(in_project(path))
    public = os.path.realpath(STATIC_ROOT)
    for each in private:
        if Path(os.path.realpath(each)).is_relative_to(public):
            stop(
                "STATIC_DIR",
                f"names {STATIC_ROOT}, whose files everybody can read, but {each} is there; name a"
                " folder for nothing else",
            )
