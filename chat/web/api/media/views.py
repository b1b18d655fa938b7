"""Transcribe audio, synthesize speech and generate images in OpenAI's format."""

from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from chat.database import threads
from chat.generations.process import server_process
from chat.generations.process.load_shedding import require_capacity
from chat.generations.send.media import generate_images, start_speech, transcribe_audio
from chat.lib.worker_thread import off_loop
from chat.upstream import available_models
from chat.web.api.api_callers import ApiCaller, for_programs
from chat.web.api.media.image_body import image_request, images_object, read_image_body
from chat.web.api.media.speech_body import read_speech_body, speech_request
from chat.web.api.media.transcription_request import (
    read_transcription_form,
    require_supported,
    transcription_response,
)
from chat.web.http.sound_response import sound_response
from chat.web.http.typed_responses import json_response


@for_programs("POST")
async def transcriptions(request: HttpRequest, caller: ApiCaller) -> HttpResponse:
    """Return what is said in a recording."""
    require_capacity(server_process.current())
    form = await sync_to_async(read_transcription_form)(request)
    model = await threads.readers.run(caller.find_media_model, form.model, "transcription")
    require_supported(model, form.request)
    transcription = await transcribe_audio(caller.principal, model, form.request)
    return await off_loop(transcription_response, form, transcription)


@for_programs("POST")
async def speech(request: HttpRequest, caller: ApiCaller) -> HttpResponseBase:
    """Return a text as sound, as it arrives from the provider."""
    body = await read_speech_body(request.body)
    require_capacity(server_process.current())
    model = await threads.readers.run(caller.find_media_model, body.model or "", "speech")
    wanted = speech_request(body, model)
    return sound_response(await start_speech(caller.principal, model, wanted), wanted.format)


@for_programs("POST")
async def images(request: HttpRequest, caller: ApiCaller) -> HttpResponse:
    """Return images of a description. Without a model, the first image model is used."""
    body = await read_image_body(request.body)
    require_capacity(server_process.current())
    name = body.model or available_models.first_media_model("image")
    model = await threads.readers.run(caller.find_media_model, name, "image")
    wanted = image_request(body, model)
    pictures = await generate_images(caller.principal, model, wanted, body.n or 1)
    return await off_loop(json_response, images_object(wanted, pictures))
