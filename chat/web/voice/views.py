"""Write what a member says, and read answers aloud. No sound is stored."""

from typing import Annotated

from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST
from msgspec import Meta, Struct

from chat.accounts.principals import principal_of
from chat.database import threads
from chat.errors import BadRequest
from chat.generations.process import server_process
from chat.generations.process.load_shedding import require_capacity
from chat.generations.send.media import start_speech, transcribe_audio
from chat.upstream.media.speech_client import SpeechRequest
from chat.upstream.media.transcription_client import LANGUAGE_CODE, TranscriptionRequest
from chat.web.http.json_body import decode_body
from chat.web.http.shared_limits import arequire_rate
from chat.web.http.sound_response import sound_response
from chat.web.voice.media_models import model_for

DICTATIONS_PER_MINUTE = 20
#: An answer is read sentence by sentence.
SENTENCES_PER_MINUTE = 120
MAX_SENTENCE_CHARS = 1000


class NothingRecorded(BadRequest):
    code = "nothing_recorded"
    text = _("Nothing was recorded. Check your microphone, and try again.")


class Sentence(Struct, forbid_unknown_fields=True):
    text: Annotated[str, Meta(min_length=1, max_length=MAX_SENTENCE_CHARS)]
    language: str = ""


@require_POST
async def transcription(request: HttpRequest) -> JsonResponse:
    """Return what is said in the recording that the body is. `language` is that of the page."""
    principal = await principal_of(request)
    await arequire_rate("dictations", principal.key, DICTATIONS_PER_MINUTE)
    require_capacity(server_process.current())
    content_type = request.content_type or ""
    if not content_type.startswith("audio/") or not request.body:
        raise NothingRecorded
    model = await threads.readers.run(model_for, principal.user_id, "transcription")
    language = request.GET.get("language", "")
    knows_language = model.schema != "whisper" and LANGUAGE_CODE.fullmatch(language)
    recording = TranscriptionRequest(
        audio=request.body,
        file_name=f"recording.{_suffix(content_type)}",
        language=language.partition("-")[0] if knows_language else "",
    )
    heard = await transcribe_audio(principal, model, recording, is_message=False)
    return JsonResponse({"text": heard.text.strip()})


@require_POST
async def speech(request: HttpRequest) -> HttpResponseBase:
    """Return a sentence as sound, as it arrives from the provider."""
    principal = await principal_of(request)
    await arequire_rate("speech", principal.key, SENTENCES_PER_MINUTE)
    sentence = await decode_body(request.body, Sentence)
    require_capacity(server_process.current())
    model = await threads.readers.run(model_for, principal.user_id, "speech")
    # MeloTTS has a voice for each language; those of other models speak any, or only English.
    language = sentence.language.partition("-")[0]
    voice = language if language in model.voices else ""
    wanted = SpeechRequest(text=sentence.text, voice=voice or next(iter(model.voices), ""))
    sound = await start_speech(principal, model, wanted, is_message=False)
    return sound_response(sound, wanted.format)


def _suffix(content_type: str) -> str:
    """Return the end of a file name that tells the provider the format."""
    return content_type.partition("/")[2].removeprefix("x-")
