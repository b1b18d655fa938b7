/** Tools for blocks of code, loaded with the first block that needs one. */

import { saveText } from "../../browser/save_text.js";
import { languageFile } from "../languages.js";
import { MAX_HIGHLIGHTED_LENGTH } from "../limits.js";
import { showAsTable } from "./csv_table.js";
import { fileName } from "./file_names.js";
import { highlightCode } from "./highlight.js";
import { numberLines } from "./line_numbers.js";
import { offerPreview } from "./preview_button.js";

export { numberLines };

/**
 * Highlight a complete block of code, show tables as such, offer a preview, number its lines if wanted.
 * @param {Element} block
 * @param {{source: string, language: string}} code
 * @param {string} file of the language's grammar; "" if there is none
 */
export async function finishCode(block, { source, language }, file) {
  if (language === "csv" || language === "tsv") showAsTable(block, source, language === "csv" ? undefined : "\t");
  offerPreview(block, source, language);
  const code = block.querySelector("code");
  if (code && file && source.length <= MAX_HIGHLIGHTED_LENGTH) await highlightCode(code, file);
  if (block.classList.contains("numbered")) numberLines(block);
}

/**
 * Save code as a file.
 * @param {string} source
 * @param {string} language as written
 */
export function saveCode(source, language) {
  saveText(source.endsWith("\n") ? source : `${source}\n`, fileName(language, languageFile(language)));
}
