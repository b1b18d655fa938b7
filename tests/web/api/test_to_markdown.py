"""Cloudflare's `toMarkdown` reads files with this site's readers."""

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import AsyncClient

from tests.support.api.api_client import ApiClient
from tests.support.documents.samples import docx, pdf

PLACE = "/client/v4/accounts/any/ai/tomarkdown"


async def convert(program: ApiClient, *files: tuple[str, bytes]) -> Any:
    form = {"files": [SimpleUploadedFile(name, content) for name, content in files]}
    headers = {"Authorization": f"Bearer {program.text}"}
    return await AsyncClient().post(PLACE, form, headers=headers)


async def test_each_file_is_read_or_says_why_not(program: ApiClient) -> None:
    files = (("a.pdf", pdf("The lake")), ("b.docx", docx("A letter")), ("c.bin", b"\x7fELF\0"))
    answer = (await convert(program, *files)).json()
    assert (answer["success"], answer["errors"]) == (True, [])
    first, second, third = answer["result"]
    assert (first["name"], first["format"]) == ("a.pdf", "markdown")
    assert first["mimeType"] == "application/pdf"
    assert first["data"] == "[Page 1]\nThe lake\n"
    assert first["tokens"] > 3
    assert second["data"] == "A letter\n"
    assert third["format"] == "error"
    assert "can't be read here" in third["error"]
    assert "data" not in third


async def test_a_request_without_files_or_with_too_many_is_refused(program: ApiClient) -> None:
    assert (await convert(program)).status_code == 400
    assert (await convert(program, *[("a.txt", b"Hi")] * 11)).status_code == 400
    assert (await program.post(PLACE, {"files": []})).status_code == 400


async def test_the_supported_types_are_listed(program: ApiClient) -> None:
    listed = (await program.get(f"{PLACE}/supported")).json()["result"]
    assert {"extension": ".pdf", "mimeType": "application/pdf"} in listed
