"""Respond with a file that somebody attached to a question: browsers save it and show nothing."""

from django.http import HttpResponse
from django.utils.http import content_disposition_header

from chat.conversations.images.access import name_of
from chat.conversations.images.models import StoredImage
from chat.import_export.file_names import safe_name
from chat.web.http.files.image_file import inert

#: Whatever the file is: browsers run, show and guess nothing of this type.
BINARY = "application/octet-stream"


def file_response(file: StoredImage) -> HttpResponse:
    response = HttpResponse(bytes(file.content), content_type=BINARY)
    response["Content-Disposition"] = content_disposition_header(True, safe_name(name_of(file)))
    return inert(response, "no-store")
