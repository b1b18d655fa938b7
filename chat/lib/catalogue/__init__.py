"""Describe the models on offer: their names, prices and capabilities."""

from chat.lib.catalogue.catalogue_file import (
    SHIPPED_EMBEDDINGS,
    SHIPPED_FILE,
    SHIPPED_MEDIA,
    CatalogueFile,
    MediaFile,
    ProvidedModel,
    read_catalogue,
    read_catalogue_file,
    read_media_file,
)
from chat.lib.catalogue.media_model import MediaModel, MediaTask
from chat.lib.catalogue.model import (
    REASONING_EFFORTS,
    Family,
    Model,
    ReasoningEffort,
)
from chat.lib.catalogue.model_fields import checked_changes, model_from
from chat.lib.catalogue.provider import Protocol, Provider

__all__ = [
    "REASONING_EFFORTS",
    "SHIPPED_EMBEDDINGS",
    "SHIPPED_FILE",
    "SHIPPED_MEDIA",
    "CatalogueFile",
    "Family",
    "MediaFile",
    "MediaModel",
    "MediaTask",
    "Model",
    "Protocol",
    "ProvidedModel",
    "Provider",
    "ReasoningEffort",
    "checked_changes",
    "model_from",
    "read_catalogue",
    "read_catalogue_file",
    "read_media_file",
]
