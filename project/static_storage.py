"""Store collected static files whole or not at all."""

import os
from pathlib import Path
from typing import Any
from uuid import uuid4

from whitenoise.storage import CompressedManifestStaticFilesStorage

#: The ending of a file that is being written.
UNFINISHED = ".unfinished"


class StaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Give a file its name once it is complete.

    A full disk or a killed process would leave a part of it. The next `collectstatic` would keep
    that, because it is newer than its source, and so it would be served for ever.
    """

    def _save(self, name: str, content: Any) -> str:
        unfinished = Path(self.path(f"{name}.{uuid4().hex}{UNFINISHED}"))
        try:
            super()._save(unfinished.relative_to(self.location).as_posix(), content)
            os.replace(unfinished, self.path(name))
        finally:
            unfinished.unlink(missing_ok=True)
        return name


def remove_unfinished(folder: Path) -> None:
    """Remove what killed processes have left. Call it while no other one collects."""
    for path in folder.rglob(f"*{UNFINISHED}"):
        path.unlink(missing_ok=True)
