/**
 * The script of the frame that shows code of an answer (chat/web/previews/views.py). The page around it sends the code.
 * No script of the code runs: the policy allows only this one and Mermaid.
 */

import { showPage } from "./page.js";
import { loadMermaid, showDiagram } from "./diagram.js";

const mermaidUrl = /** @type {HTMLScriptElement} */ (document.currentScript).dataset.mermaid ?? "";

/** @typedef {{kind: import("./preview_kind.js").PreviewKind, source: string, isDark: boolean}} Shown */

/** @param {Shown} shown @param {MessagePort} port */
async function show({ kind, source, isDark }, port) {
  const withheld = () => port.postMessage({ withheld: true });
  document.addEventListener("securitypolicyviolation", withheld, { once: true });
  try {
    if (kind === "page") showPage(source, withheld);
    else {
      if (kind === "image") await showImage(source);
      else await showDiagram(source, isDark, await loadMermaid(mermaidUrl));
      port.postMessage({ height: document.documentElement.offsetHeight });
    }
  } catch {
    port.postMessage({ failed: true });
  }
}

/** Show SVG as an image, which runs no scripts and loads nothing. @param {string} source */
async function showImage(source) {
  const image = new Image();
  const isNamed = /\sxmlns\s*=/.test(source);
  const text = isNamed ? source : source.replace(/<svg/i, '<svg xmlns="http://www.w3.org/2000/svg"');
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  image.alt = new DOMParser().parseFromString(text, "image/svg+xml").querySelector("title")?.textContent ?? "";
  image.style.cssText = "display: block; max-inline-size: 100%; margin: auto";
  await image.decode();
  document.body.replaceChildren(image);
}

function begin() {
  const waiting = new AbortController();
  const listener = (/** @type {MessageEvent<Shown>} */ { source, data, ports: [port] }) => {
    if (source !== parent || !port) return;
    waiting.abort();
    show(data, port);
  };
  addEventListener("message", listener, { signal: waiting.signal });
  parent.postMessage("ready", "*");
}

if (parent !== window) begin();
