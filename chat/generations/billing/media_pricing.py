"""Calculate the cost of transcriptions, speech and images."""

import io
import math
import wave

from chat.generations.billing.pricing import NEURON_USD
from chat.lib.catalogue import MediaModel
from chat.upstream.events import Usage

TILE_PIXELS = 512
#: A slow reader, so that the length of a sound is not underestimated.
CHARACTERS_PER_MINUTE = 700
#: Speech is hardly ever compressed more than to 16 kbit/s.
LEAST_BYTES_PER_SECOND = 2000


def transcription_usd(model: MediaModel, seconds: float) -> float:
    return model.usd_per_minute * seconds / 60


def speech_usd(model: MediaModel, text: str) -> float:
    spoken = model.usd_per_minute * len(text) / CHARACTERS_PER_MINUTE
    return spoken + model.usd_per_thousand_characters * len(text) / 1000


def image_usd(model: MediaModel, width: int, height: int, steps: int) -> float:
    tiles = math.ceil(width / TILE_PIXELS) * math.ceil(height / TILE_PIXELS)
    return model.usd_per_image + model.usd_per_tile * tiles + model.usd_per_step * steps


def usage_at(usd: float) -> Usage:
    """Return a usage that costs this much, for limits in neurons and in dollars alike."""
    return Usage(0, 0, 0, usd / NEURON_USD)


def longest_seconds(audio: bytes) -> float:
    """Return how long a recording may be: exactly for WAV, else the most for its bytes."""
    if audio[:4] == b"RIFF":
        try:
            with wave.open(io.BytesIO(audio)) as sound:
                bytes_per_second = (
                    sound.getsampwidth() * sound.getnchannels() * sound.getframerate()
                )
            return float(len(audio) / bytes_per_second)
        except (wave.Error, EOFError, ZeroDivisionError):
            pass
    return len(audio) / LEAST_BYTES_PER_SECOND
