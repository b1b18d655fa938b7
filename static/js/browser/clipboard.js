/**
 * Copy `text` to the clipboard, and beside it the same as HTML, for programs that take that. Sites on plain HTTP have no
 * clipboard API, so a selection and the old copy command replace it there, for the text only.
 * @param {string} text
 * @param {string} [html]
 * @returns {Promise<boolean>} whether it worked
 */
export async function copyText(text, html = "") {
  try {
    await (html ? navigator.clipboard.write([both(text, html)]) : navigator.clipboard.writeText(text));
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** @param {string} text @param {string} html */
function both(text, html) {
  const parts = { "text/plain": text, "text/html": html };
  return new ClipboardItem(Object.fromEntries(Object.entries(parts).map(([type, part]) => [type, new Blob([part], { type })])));
}

/** @param {string} text */
function copyBySelection(text) {
  const focused = /** @type {HTMLElement | null} */ (document.activeElement);
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "off-screen";
  area.readOnly = true;
  document.body.append(area);
  area.select();
  try {
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    area.remove();
    focused?.focus({ preventScroll: true });
  }
}
