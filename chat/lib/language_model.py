"""Load the tables of the language model from files that all processes of a site share.

Unpacked, the tables take 55 MB of each process's memory. Of files that are mapped into memory, the
system loads what texts need, once for all processes.
"""

import logging
import shutil
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from typing import Any

from chat.lib.staging_folders import staging_folder

log = logging.getLogger(__name__)

PACKAGE = "py3langid"
#: Increase it when the files change.
VERSION = 1


@dataclass(frozen=True, slots=True)
class LanguageTables:
    """What `py3langid.langid.LanguageIdentifier` is made of.

    The bytes of a text lead through states: `transitions` has 256 for each of the `rows` of states,
    and `features` says which feature a state ends, if any.
    """

    weights: Any  # of each feature for each language
    priors: Any
    codes: list[str]
    transitions: Sequence[int]
    rows: Sequence[int]
    features: Sequence[int]


def load(folder: Path, told: Collection[str]) -> LanguageTables:
    """Return the tables for the languages `told`, which are stored in `folder` first.

    It is in DATA_DIR. If they can't be stored, each process keeps its own.
    """
    key = f"{PACKAGE} {version(PACKAGE)} {VERSION} {sorted(told)}"
    stored = folder / blake2b(key.encode(), digest_size=8).hexdigest()
    try:
        if not stored.exists():
            _store(_unpacked(told), stored)
        return _mapped(stored)
    except (OSError, EOFError, ValueError) as error:
        log.warning("the language model's tables aren't shared: %s", type(error).__name__)
        shutil.rmtree(stored, ignore_errors=True)
        return _unpacked(told)


def _unpacked(told: Collection[str]) -> LanguageTables:
    """Return the tables of the package, without the columns of other languages."""
    from py3langid.langid import MODEL_DIR, MODEL_FILE
    from py3langid.modelio import load_model

    weights, priors, codes, transitions, rows, features = load_model(MODEL_DIR / MODEL_FILE)
    columns = [number for number, code in enumerate(codes) if code in told]
    return LanguageTables(
        weights[:, columns],
        priors[columns],
        [codes[number] for number in columns],
        transitions,
        rows,
        features,
    )


def _store(tables: LanguageTables, folder: Path) -> None:
    """Write the tables in place of those of other versions. Another process may do the same."""
    import numpy as np

    folder.parent.mkdir(exist_ok=True, mode=0o700)
    with staging_folder() as made:
        np.save(made / "weights.npy", np.ascontiguousarray(tables.weights))
        np.save(made / "priors.npy", tables.priors)
        np.save(made / "codes.npy", np.array(tables.codes))
        np.save(made / "transitions.npy", np.asarray(tables.transitions))
        np.save(made / "rows.npy", np.asarray(tables.rows))
        np.save(made / "features.npy", np.asarray(tables.features, dtype=np.int32))
        with suppress(OSError):  # another process was faster
            made.rename(folder)
    for each in folder.parent.iterdir():
        if each != folder:  # a process that uses it keeps it until it ends
            shutil.rmtree(each, ignore_errors=True)


def _mapped(folder: Path) -> LanguageTables:
    import numpy as np

    def table(name: str) -> Any:
        return np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False)

    return LanguageTables(
        table("weights"),
        table("priors"),
        table("codes").tolist(),
        memoryview(table("transitions")),  # an index takes a tenth of an array's time
        memoryview(table("rows")),
        memoryview(table("features")),
    )
