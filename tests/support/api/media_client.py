"""Send recordings to the API, and read sounds from it."""

import math
import struct
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import AsyncClient

from tests.support.api.api_client import ApiClient

WHISPER = "@cf/openai/whisper-large-v3-turbo"
AURA = "@cf/deepgram/aura-1"
MELO = "@cf/myshell-ai/melotts"
FLUX = "@cf/black-forest-labs/flux-1-schnell"
SDXL = "@cf/stabilityai/stable-diffusion-xl-base-1.0"
TRANSCRIPTIONS = "/v1/audio/transcriptions"
SPEECH = "/v1/audio/speech"
IMAGES = "/v1/images/generations"


def wav(seconds: float = 1, rate: int = 8000) -> bytes:
    """Return a WAV file with a tone."""
    count = int(seconds * rate)
    wave = b"".join(struct.pack("<h", int(9000 * math.sin(at / 3))) for at in range(rate))
    data = (wave * math.ceil(seconds))[: count * 2]
    head = struct.pack("<4sIHHIIHH", b"fmt ", 16, 1, 1, rate, rate * 2, 2, 16)
    body = b"WAVE" + head + struct.pack("<4sI", b"data", len(data)) + data
    return b"RIFF" + struct.pack("<I", len(body)) + body


async def transcribe(program: ApiClient, audio: bytes | None = None, **fields: Any) -> Any:
    """Send a form with a recording, or without one if it is empty."""
    sent: dict[str, Any] = {"model": WHISPER, **fields}
    sent = {name: value for name, value in sent.items() if value is not None}
    audio = wav() if audio is None else audio
    if audio:
        sent["file"] = SimpleUploadedFile("speech.wav", audio, "audio/wav")
    headers = {"Authorization": f"Bearer {program.text}"}
    return await AsyncClient().post(TRANSCRIPTIONS, sent, headers=headers)


async def speak(program: ApiClient, text: Any = "Hello", **options: Any) -> Any:
    body = {"model": AURA, "input": text, "voice": "alloy", **options}
    return await program.post(SPEECH, body)


async def sound_of(response: Any) -> bytes:
    assert response.status_code == 200, response.content
    return b"".join([piece async for piece in response.streaming_content])


async def draw(program: ApiClient, prompt: Any = "A river", **options: Any) -> Any:
    return await program.post(IMAGES, {"model": FLUX, "prompt": prompt, **options})
