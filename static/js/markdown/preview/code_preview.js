/**
 * Show code as a page, an image or a diagram, below the head of its block; loaded on demand. The frame has an origin of
 * its own (chat/web/previews/views.py), and gets the code in a message.
 */

import { loadStyleSheet } from "../../browser/load_style_sheet.js";
import { t } from "../../lib/i18n.js";
import { once } from "../../lib/once.js";

const FRAME_URL = "/code-preview/";
const PATIENCE_MS = 20_000;

/** What the preview stands in place of. */
const CODE = "pre, .number-lines, .wrap-code";

const loadStyles = once(() => loadStyleSheet("code_preview.css"));

/** @typedef {{kind: import("./preview_kind.js").PreviewKind, source: string}} Code */

/**
 * Show the preview of a block, or its code again.
 * @param {Element} block
 * @param {Element} button
 * @param {Code} code
 */
export async function togglePreview(block, button, code) {
  const isShown = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", String(isShown));
  await loadStyles();
  const shown = block.querySelector(".code-preview");
  if (button.getAttribute("aria-pressed") !== String(isShown) || isShown === Boolean(shown)) return;
  for (const each of block.querySelectorAll(CODE)) each.toggleAttribute("hidden", isShown);
  if (shown) shown.remove();
  else block.append(previewOf(code));
}

/** @param {Code} code */
function previewOf(code) {
  const dialog = document.createElement("dialog");
  const note = made("p", "code-preview-note");
  const frame = frameOf(code.kind);
  dialog.className = "code-preview";
  dialog.setAttribute("aria-label", t("Preview"));
  note.setAttribute("role", "status");
  dialog.append(barOf(dialog), note, frame);
  show(dialog, false);
  dialog.addEventListener("close", () => show(dialog, false)); // Escape closes it, too
  hand(code, frame, (words) => {
    note.textContent = words;
  });
  return dialog;
}

/** Say whose the content is, where it cannot be changed. @param {HTMLDialogElement} dialog */
function barOf(dialog) {
  const bar = made("div", "code-preview-bar");
  const label = made("p", "");
  const size = made("button", "text-button code-preview-size");
  label.textContent = t("Written by the model. No scripts, no network, no access to your account.");
  size.setAttribute("type", "button");
  size.addEventListener("click", () => {
    if (dialog.matches(":modal")) dialog.close();
    else show(dialog, true);
    size.focus();
  });
  bar.append(label, size);
  return bar;
}

/**
 * Show the dialog large, or in its place. The frame stays where it is in the page, or it would load again.
 * @param {HTMLDialogElement} dialog
 * @param {boolean} isLarge
 */
function show(dialog, isLarge) {
  dialog.open = !isLarge; // unlike `show()`, this leaves the focus where it is
  if (isLarge) dialog.showModal();
  const size = dialog.querySelector(".code-preview-size");
  if (size) size.textContent = isLarge ? t("Close") : t("Enlarge");
}

/** @param {Code["kind"]} kind */
function frameOf(kind) {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts"); // ours; the policy of the frame allows none of the code's
  frame.setAttribute("allow", "");
  frame.referrerPolicy = "no-referrer";
  frame.title = t("Preview");
  frame.className = "code-preview-frame";
  frame.dataset.kind = kind;
  frame.src = FRAME_URL;
  return frame;
}

/**
 * Give the code to the frame once it is ready.
 * @param {Code} code
 * @param {HTMLIFrameElement} frame
 * @param {(words: string) => void} say
 */
function hand({ kind, source }, frame, say) {
  const waiting = new AbortController();
  const timer = setTimeout(() => {
    waiting.abort();
    frame.remove();
    say(t("Couldn't load this. Check your connection, or reload the page."));
  }, PATIENCE_MS);
  const listener = (/** @type {MessageEvent} */ event) => {
    if (event.source !== frame.contentWindow || event.data !== "ready") return;
    waiting.abort();
    clearTimeout(timer);
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => heed(data, frame, say);
    // An opaque origin has no name. The policy of this page lets the frame show nothing but the site's own.
    frame.contentWindow?.postMessage({ kind, source, isDark: isDark() }, "*", [port2]);
  };
  addEventListener("message", listener, { signal: waiting.signal });
}

/**
 * @param {{height?: unknown, withheld?: unknown, failed?: unknown}} message of the frame
 * @param {HTMLIFrameElement} frame
 * @param {(words: string) => void} say
 */
function heed({ height, withheld, failed }, frame, say) {
  if (typeof height === "number") frame.style.setProperty("--content-size", `${Math.ceil(height)}px`);
  if (withheld) say(t("Scripts and files from the network are left out."));
  if (failed) {
    frame.remove();
    say(t("This can't be shown. The code may have a mistake."));
  }
}

function isDark() {
  const { theme } = document.documentElement.dataset;
  return theme === "dark" || (theme === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
}

/** @param {string} tag @param {string} className */
function made(tag, className) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (tag === "p") element.dir = "auto"; // the answer may be in another script
  return element;
}
