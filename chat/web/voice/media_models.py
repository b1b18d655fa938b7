"""Choose the models that hear and read aloud on the chat page."""

from django.conf import settings

from chat.errors import UnknownModel
from chat.generations.model_permissions import ModelNotAllowed, may_use_all
from chat.lib.catalogue import MediaModel, MediaTask
from chat.upstream import available_models


def model_for(user_id: int, task: MediaTask, version: int | None = None) -> MediaModel:
    """Return the site's model for `transcription` or `speech`.

    Raise `UnknownModel` if the site has none, `ModelNotAllowed` if the member's groups name the
    models that they may use, which are chat models only.
    """
    name = settings.DICTATION_MODEL if task == "transcription" else settings.SPEECH_MODEL
    if not name:
        raise UnknownModel
    if not may_use_all(user_id, version):
        raise ModelNotAllowed
    return available_models.find_media_model(name, task)


def offers(user_id: int, task: MediaTask, version: int | None) -> bool:
    """Return whether the page offers it to this member. `version` is that of the configuration."""
    try:
        model_for(user_id, task, version)
    except (UnknownModel, ModelNotAllowed):
        return False
    return True
