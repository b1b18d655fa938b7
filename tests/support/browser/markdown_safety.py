"""Helpers for the tests of Markdown safety."""

LISTEN = """() => {
  window.attacks = [];
  for (const name of ["alert", "confirm", "prompt", "open", "print"]) {
    window[name] = () => window.attacks.push(name);
  }
  document.addEventListener("click", (event) => {
    if (event.target.closest("a")?.protocol.startsWith("http")) event.preventDefault();
  });
}"""


PRESS_EVERYTHING = """() => {
  for (const each of document.querySelectorAll("#thread .formatted *")) {
    each.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
    if (each.localName !== "button") each.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  }
}"""
