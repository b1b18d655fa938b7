"""An emulator whose list differs from the shipped catalogue: one model new, one gone, one dearer.

Use it with `settings.EMULATOR_TRANSPORT = changed_emulator.PATH`.
"""

from dataclasses import replace

from chat.emulator import Emulator, EmulatorTransport
from chat.lib.catalogue import SHIPPED_FILE, Model, read_catalogue

PATH = "tests.support.upstream.changed_emulator.transport"
NEW = "@cf/house/brew-9b"
GONE = "@cf/qwen/qwq-32b"
DEARER = "@cf/google/gemma-4-26b-a4b-it"
BREW = Model(
    id=NEW,
    context_window=64_000,
    input_usd_per_million=0.2,
    output_usd_per_million=0.6,
    tools=True,
)


def changed_file() -> str:
    """Return a catalogue file with the same changes, for an emulator in another process."""
    head, *models = SHIPPED_FILE.read_text().split("[[models]]")
    kept = [each for each in models if f'id = "{GONE}"' not in each]
    dearer = "output_usd_per_million = 0.45"
    changed = [
        each.replace("output_usd_per_million = 0.3\n", f"{dearer}\n")
        if f'id = "{DEARER}"' in each
        else each
        for each in kept
    ]
    assert dearer in "".join(changed)
    assert len(kept) == len(models) - 1
    brew = f'\nid = "{NEW}"\ncontext_window = {BREW.context_window}\ntools = true\n'
    brew += "input_usd_per_million = 0.2\noutput_usd_per_million = 0.6\n"
    return "[[models]]".join([head, *changed, brew])


def changed_catalogue() -> dict[str, Model]:
    models = read_catalogue()
    del models[GONE]
    models[DEARER] = replace(models[DEARER], output_usd_per_million=0.45)
    return models | {NEW: BREW}


def transport() -> EmulatorTransport:
    return EmulatorTransport(Emulator(tokens_per_second=0, catalogue=changed_catalogue()))
