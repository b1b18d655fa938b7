/** Convert files to text for a message. Pure. */

export const MAX_FILE_BYTES = 128 * 1024;

/** Control characters that text files do not contain. */
// eslint-disable-next-line no-control-regex -- they are what it looks for
const BINARY = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/;
const EXTENSION = /\.([a-z0-9]{1,12})$/i;
const MARKS = { "255,254": "utf-16le", "254,255": "utf-16be" };

/**
 * Return the text of a file, or null if it is binary. Text is UTF-8, UTF-16 with a byte order mark, or otherwise
 * Windows-1252.
 * @param {Uint8Array} bytes
 */
export function decodeText(bytes) {
  const text = decoded(bytes).replace(/\r\n?/g, "\n");
  return BINARY.test(text) ? null : text;
}

/** @param {Uint8Array} bytes */
function decoded(bytes) {
  const marked = /** @type {Record<string, string>} */ (MARKS)[bytes.subarray(0, 2).join()];
  if (marked) return new TextDecoder(marked).decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/**
 * Return the file as a fenced block under its name. The fence is longer than any in the text.
 * @param {string} name
 * @param {string} text
 */
export function fencedFile(name, text) {
  const longest = Math.max(2, ...Array.from(text.matchAll(/^ {0,3}(`{3,})/gm), ([, ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  const language = EXTENSION.exec(name)?.[1].toLowerCase() ?? "";
  const title = name.replace(/\s+/g, " ").trim();
  return `${title}:\n${fence}${language}\n${text}${text.endsWith("\n") || !text ? "" : "\n"}${fence}\n`;
}

/**
 * Return `block` as inserted after `before`, so that it starts on a line of its own.
 * @param {string} before
 * @param {string} block
 */
export function onItsOwnLine(before, block) {
  return before && !before.endsWith("\n") ? `\n${block}` : block;
}
