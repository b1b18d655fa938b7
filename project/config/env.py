"""Read settings from the environment: each function takes a name and a default.

An invalid value aborts startup with one line that names the setting, the value and what is
expected. It raises `SystemExit`, so that manage.py and uvicorn print that line without a
traceback. Secrets are never part of the message.
"""

import os
from pathlib import Path
from typing import NoReturn

PROJECT_DIR = Path(__file__).resolve().parents[2]

#: Name and default of every setting read, in order; a test compares docs/settings.md with it.
READ: dict[str, str] = {}
#: The largest value of each number; its arithmetic, with dates too, must not overflow.
MAXIMA: dict[str, int] = {}
#: Names of those that the environment sets, which the page then can't change.
SET: set[str] = set()

#: The default maxima: what a double has exactly, for bytes and counts, and a year, for seconds.
MAX_INT = 2**53
MAX_FLOAT = 365 * 24 * 3600

TRUE_WORDS = {"1", "true", "yes", "on"}
FALSE_WORDS = {"0", "false", "no", "off"}


def stop(name: str, problem: str) -> NoReturn:
    """Abort startup with a message about the setting `name`."""
    raise SystemExit(f"runnel: the setting {name} {problem}")


def env_str(name: str, default: str = "") -> str:
    READ[name] = default
    value = os.environ.get(name, "").strip()
    if value:
        SET.add(name)
    return value or default


def env_bool(name: str, default: bool) -> bool:
    word = env_str(name, "yes" if default else "no").lower()
    if word not in TRUE_WORDS | FALSE_WORDS:
        stop(name, f"is {word!r}; write yes or no")
    return word in TRUE_WORDS


def env_int(name: str, default: int, minimum: int = 0, maximum: int = MAX_INT) -> int:
    MAXIMA[name] = maximum
    text = env_str(name, str(default))
    try:
        number = int(text)
    except ValueError:
        stop(name, f"is {text!r}; write a whole number")
    if not minimum <= number <= maximum:
        stop(name, f"is {number}; it must be between {minimum} and {maximum}")
    return number


def env_float(name: str, default: float, minimum: float = 0.0, maximum: int = MAX_FLOAT) -> float:
    MAXIMA[name] = maximum
    text = env_str(name, f"{default:g}")
    try:
        number = float(text)
    except ValueError:
        stop(name, f"is {text!r}; write a number")
    if not minimum <= number <= maximum:
        stop(name, f"is {text}; it must be between {minimum:g} and {maximum}")
    return number


def env_choice(name: str, choices: tuple[str, ...], default: str) -> str:
    word = env_str(name, default).lower()
    if word not in choices:
        stop(name, f"is {word!r}; choose one of: {', '.join(choices)}")
    return word


def env_list(name: str) -> list[str]:
    return [item.strip() for item in env_str(name).split(",") if item.strip()]


def in_project(path: str | Path) -> Path:
    """Return the path; a relative one begins in the project's folder, wherever a command runs."""
    return PROJECT_DIR / path


def env_file_path(name: str, default: Path) -> str:
    path = in_project(env_str(name) or default)
    require_file(name, path)
    return str(path)


def env_folder(name: str, default: str | Path) -> Path:
    path = in_project(env_str(name) or default)
    require_folder(name, path)
    return path


def require_file(name: str, path: Path) -> None:
    """Abort startup if a folder, or anything but a file, is where the setting has a file."""
    if os.path.exists(path) and not os.path.isfile(path):
        stop(name, f"needs a file, but this is none: {path}")


def require_folder(name: str, path: Path) -> None:
    """Abort startup if a file, or a link to nothing, is where the setting has a folder."""
    if os.path.lexists(path) and not os.path.isdir(path):
        stop(name, f"needs a folder, but this is none: {path}")


def env_secret(name: str) -> str:
    """Return the value of `name`, or the contents of the file that `name`_FILE points to."""
    value, file_name = env_str(name), env_str(f"{name}_FILE")
    if value and file_name:
        stop(name, f"and {name}_FILE are both set; keep one")
    if not file_name:
        return value
    try:
        return in_project(file_name).read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        stop(f"{name}_FILE", f"names a file that can't be read ({type(error).__name__})")
