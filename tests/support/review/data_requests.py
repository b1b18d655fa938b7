"""Ask for people's records and for their erasure, as the page of a person does."""

import io
from typing import Any
from zipfile import ZipFile

from asgiref.sync import async_to_sync
from django.http.response import HttpResponseBase
from django.test import Client

from tests.support.review.member_pages import WHY

TODAY = {"received_on": "2026-01-05", "reason": WHY}


def page_of(person_id: int) -> str:
    return f"/review/data-requests/people/{person_id}/"


def content_of(response: HttpResponseBase) -> bytes:
    """Return what a download sends."""
    assert response.status_code == 200, response

    async def read() -> bytes:
        return b"".join([piece async for piece in response])  # type: ignore[attr-defined]

    return async_to_sync(read)()


def everything_in(archive: ZipFile) -> str:
    """Return the text of all files."""
    return b"".join(map(archive.read, archive.namelist())).decode(errors="replace")


def archive_of(client: Client, person_id: int, **fields: Any) -> ZipFile:
    """Download the person's record."""
    response = client.post(f"{page_of(person_id)}record.zip", TODAY | fields)
    return ZipFile(io.BytesIO(content_of(response)))
