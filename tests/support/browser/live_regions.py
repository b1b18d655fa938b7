"""Record what every live region of a page announces."""

from tests.browser.chat_page import ChatPage

RECORD = """() => {
  window.said = [];
  const regions = "[role=status], [role=alert], [aria-live]:not([aria-live=off])";
  for (const region of document.querySelectorAll(regions)) {
    new MutationObserver((records) => {
      for (const { addedNodes, target, type } of records) {
        if (type === "characterData") window.said.push(target.data);
        for (const node of addedNodes) window.said.push(node.textContent);
      }
    }).observe(region, { childList: true, characterData: true, subtree: true });
  }
}"""


def listen(chat: ChatPage) -> None:
    chat.page.evaluate(RECORD)


def said(chat: ChatPage) -> list[str]:
    """Return everything that was announced, in order."""
    heard: list[str] = chat.page.evaluate("window.said.filter(Boolean)")
    return heard
