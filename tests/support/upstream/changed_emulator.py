"""An emulator whose list differs from the shipped catalogue: one model new, one gone, one dearer.

Use it with `settings.EMULATOR_TRANSPORT = changed_emulator.PATH`.
"""

from dataclasses import replace

from chat.emulator import Emulator, EmulatorTransport
from chat.lib.catalogue import Model, read_catalogue

PATH = "tests.support.upstream.changed_emulator.transport"
NEW = "@cf/house/brew-9b"
GONE = "@cf/qwen/qwq-32b"
DEARER = "@cf/google/gemma-4-26b-a4b-it"
#: A catalogue file with the same changes adds these lines to the shipped one.
BREW = Model(
    id=NEW,
    context_window=64_000,
    input_usd_per_million=0.2,
    output_usd_per_million=0.6,
    tools=True,
)


def changed_catalogue() -> dict[str, Model]:
    models = read_catalogue()
    del models[GONE]
    models[DEARER] = replace(models[DEARER], output_usd_per_million=0.45)
    return models | {NEW: BREW}


def transport() -> EmulatorTransport:
    return EmulatorTransport(Emulator(tokens_per_second=0, catalogue=changed_catalogue()))
