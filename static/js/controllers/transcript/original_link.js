/** The link to the original of a file in a question, loaded when the file is opened. */

import { formatKilobytes } from "../../lib/formatting.js";
import { t } from "../../lib/i18n.js";

/** Offer to save the file that the text was read from, if the server still has it. @param {HTMLElement} text @param {string} url @param {string} name */
export async function offerOriginal(text, url, name) {
  const response = await fetch(url, { method: "HEAD" }).catch(() => null);
  if (!response?.ok) return;
  const line = document.createElement("p");
  const link = document.createElement("a");
  line.className = "attachment-original";
  link.href = url;
  link.download = name;
  link.textContent = t("Download the original");
  const size = document.createElement("bdi");
  size.className = "attachment-size";
  size.textContent = formatKilobytes(Number(response.headers.get("Content-Length")));
  line.append(link, " ", size);
  text.before(line);
}
