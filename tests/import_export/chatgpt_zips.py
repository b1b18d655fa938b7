"""ZIP files of ChatGPT, with attached files beside the chats."""

import io
from typing import Any

from tests.import_export.chatgpt_files import chat, encoded, node
from tests.support.documents.samples import WORDS, pdf, zipped
from tests.support.widget.pictures import png

PDF_ID, PNG_ID = "file-XGe96P5kHVoXvfQGfmAsIi", "file_00000000960871f5a92663b4b359de55"
PAGES, LAKE = pdf(WORDS), png(64, 48)


def attached(*files: dict[str, Any]) -> dict[str, Any]:
    return {"metadata": {"attachments": list(files)}}


def shown(pointer: str) -> dict[str, Any]:
    return {"content_type": "image_asset_pointer", "asset_pointer": pointer}


def question(*parts: Any, key: str = "q", **more: Any) -> dict[str, Any]:
    content = {"content_type": "multimodal_text", "parts": list(parts)}
    return node(key, "root", "user", content, seconds=1, **more)


def export(files: dict[str, bytes], *nodes: dict[str, Any]) -> io.BytesIO:
    return io.BytesIO(zipped({"conversations.json": encoded(chat(*nodes)), **files}))
