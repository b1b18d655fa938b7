"""Give images to the message box, and find them."""

from playwright.sync_api import Locator

from tests.browser.chat_page import ChatPage

SEEING, BLIND = "Llama 4 Scout", "Llama 3.3 70B"
#: Dispatches an event with an image that a canvas draws: a photograph, or a drawing.
GIVE = """async ([kind, name, type, width, height]) => {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height });
  const context = canvas.getContext("2d");
  const colours = context.createLinearGradient(0, 0, width, height);
  colours.addColorStop(0, "#0b6e4f");
  colours.addColorStop(1, "#f2c14e");
  context.fillStyle = colours;
  context.fillRect(0, 0, width, height);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, type));
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([blob], name, { type }));
  const how = { bubbles: true, cancelable: true };
  const event = kind === "paste"
    ? Object.assign(new Event("paste", how), { clipboardData: dataTransfer })
    : new DragEvent(kind, { ...how, dataTransfer });
  return !document.querySelector("#message").dispatchEvent(event);
}"""


def give(
    chat: ChatPage, kind: str, name: str, mime: str = "image/png", size: tuple[int, int] = (80, 60)
) -> bool:
    taken: bool = chat.page.evaluate(GIVE, [kind, name, mime, *size])
    return taken


def chips(chat: ChatPage) -> Locator:
    return chat.page.locator("#composer .attachment")


def thumbs(chat: ChatPage) -> Locator:
    return chat.questions.locator(".image-thumb img")


def is_loaded(picture: Locator) -> bool:
    picture.scroll_into_view_if_needed()
    loaded: bool = picture.evaluate(
        "each => each.complete || new Promise(resolve => (each.onload = () => resolve(true)))"
    )
    return loaded and bool(picture.evaluate("each => each.naturalWidth"))
