/** Offer to show code as what it describes, on pages that allow it. What shows it is loaded with the first press. */

import { onDemand } from "../../browser/on_demand.js";
import { t } from "../../lib/i18n.js";
import { previewKind } from "../preview/preview_kind.js";

const HINT_MS = 6000;
const module = onDemand("code_preview");

/**
 * @param {Element} block
 * @param {string} source
 * @param {string} language as written
 */
export function offerPreview(block, source, language) {
  const kind = previewKind(language, source);
  const head = block.querySelector(".code-block-head");
  if (!kind || !head || !document.querySelector("main[data-previews]") || head.querySelector(".show-preview")) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "text-button show-preview";
  button.textContent = t("Preview");
  button.setAttribute("aria-label", t("Preview of the code"));
  button.setAttribute("aria-pressed", "false");
  button.addEventListener("click", async () => {
    const preview = await module();
    if (preview) preview.togglePreview(block, button, { kind, source });
    else hint(t("Couldn't load this. Check your connection, or reload the page."));
  });
  head.insertBefore(button, head.querySelector(".copy-code"));
}

/** Say it where the pages with previews have their hints. @param {string} words */
function hint(words) {
  const line = document.getElementById("hint");
  if (!line) return;
  line.textContent = words;
  setTimeout(() => {
    if (line.textContent === words) line.textContent = "";
  }, HINT_MS);
}
