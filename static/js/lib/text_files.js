/** Convert files to text for a message, and find them in it. Pure. */

export const MAX_FILE_BYTES = 128 * 1024;

/** Control characters that text files do not contain. */
// eslint-disable-next-line no-control-regex -- they are what it looks for
const BINARY = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/;
const DOCUMENT = /%PDF-|^\{\\rtf/;
const MAX_NAME_CHARS = 255;
const NO_EXTENSION = "file";
const OPENING = /^(`{3,})([a-z0-9]{1,12})(?: file:([0-9a-f]{32}))?$/;
const IMAGE = /^!\[([^\n\r\u2028\u2029]{0,255})\]\(image:([0-9a-f]{32})\)$/;
const EXTENSION = /\.([a-z0-9]{1,12})$/i;
const MARKS = { "255,254": "utf-16le", "254,255": "utf-16be" };

/**
 * Return the text of a file in UTF-8, or in UTF-16 with a byte order mark. Return null for all that the server has to read: other encodings, and
 * documents, even if their bytes are text.
 * @param {Uint8Array} bytes
 */
export function decodeText(bytes) {
  const encoding = /** @type {Record<string, string>} */ (MARKS)[bytes.subarray(0, 2).join()] ?? "utf-8";
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes).replace(/\r\n?/g, "\n");
    return BINARY.test(text) || DOCUMENT.test(text.slice(0, 1024)) ? null : text;
  } catch {
    return null;
  }
}

/**
 * @typedef {{name: string, block: string, content: string, image?: string, original?: string}} AttachedFile `block` is its part of the message,
 *   `image` an image's digest, `original` that of the file that the text was read from
 */

/**
 * Return the file as a fenced block under its name. The fence is longer than any in the text.
 * @param {string} name
 * @param {string} text
 * @param {string} [original] the digest of the file, if the server keeps it
 */
export function fencedFile(name, text, original) {
  let longest = 2;
  for (const [, ticks] of text.matchAll(/^ {0,3}(`{3,})/gm)) longest = Math.max(longest, ticks.length);
  const fence = "`".repeat(longest + 1);
  const title = titleOf(name);
  const reference = original ? ` file:${original}` : "";
  return `${title}:\n${fence}${languageOf(title)}${reference}\n${text}${text.endsWith("\n") || !text ? "" : "\n"}${fence}\n`;
}

/** Return the line that stands for an uploaded image. @param {string} name @param {string} digest */
export function imageLine(name, digest) {
  return `![${titleOf(name)}](image:${digest})\n`;
}

/** @param {string} name */
function titleOf(name) {
  return name.replace(/\s+/g, " ").trim().slice(-MAX_NAME_CHARS) || NO_EXTENSION;
}

/** @param {string} name */
function languageOf(name) {
  return EXTENSION.exec(name)?.[1].toLowerCase() ?? NO_EXTENSION;
}

/**
 * Return what was written, and the files attached at its end. chat/conversations/attached_files.py does the same.
 * @param {string} message
 * @returns {{text: string, files: AttachedFile[]}} their texts together are the message
 */
export function splitFiles(message) {
  const lines = message.split("\n");
  const closings = closingLines(lines);
  let contentEnd = lines.length;
  while (contentEnd && !lines[contentEnd - 1]) contentEnd -= 1;
  for (let start = 0; start < lines.length; ) {
    const files = [];
    let end = start;
    for (let file = fileAt(lines, closings, end); file; file = fileAt(lines, closings, end)) {
      files.push(file);
      end = file.end;
    }
    if (files.length && end >= contentEnd) {
      files[files.length - 1].end = lines.length;
      return { text: partOf(lines, 0, start), files: files.map((file) => attached(lines, file)) };
    }
    start = files.length ? end : start + 1;
  }
  return { text: message, files: [] };
}

/**
 * Return a message: what is written, and then the files.
 * @param {string} text
 * @param {{block: string}[]} files
 */
export function joinFiles(text, files) {
  if (!files.length) return text;
  const blocks = files.map(({ block }) => (block.endsWith("\n") ? block : `${block}\n`)).join("");
  return text && !text.endsWith("\n") ? `${text}\n${blocks}` : text + blocks;
}

/** Return one message with the contents of several. @param {string[]} messages */
export function joinMessages(...messages) {
  const parts = messages.map(splitFiles);
  const texts = parts.map(({ text, files }) => (files.length ? text.trimEnd() : text)).filter(Boolean);
  return joinFiles(texts.join("\n\n"), parts.flatMap(({ files }) => files));
}

/** @param {string[]} lines @returns {Map<string, number[]>} the lines that may close a block, by their fence */
function closingLines(lines) {
  const found = new Map();
  lines.forEach((line, number) => {
    if (!/^`{3,}$/.test(line)) return;
    if (!found.has(line)) found.set(line, []);
    found.get(line).push(number);
  });
  return found;
}

/**
 * @param {string[]} lines
 * @param {Map<string, number[]>} closings
 * @param {number} start
 * @returns {{start: number, close: number, end: number} | null} the file that begins at this line
 */
function fileAt(lines, closings, start) {
  if (IMAGE.test(lines[start] ?? "")) return { start, close: start, end: start + 1 };
  const name = lines[start]?.endsWith(":") ? lines[start].slice(0, -1) : "";
  const [, fence, language] = OPENING.exec(lines[start + 1] ?? "") ?? [];
  if (!name || name.length > MAX_NAME_CHARS || !fence || language !== languageOf(name)) return null;
  const close = closings.get(fence)?.find((number) => number >= start + 2);
  return close === undefined ? null : { start, close, end: close + 1 };
}

/** @param {string[]} lines @param {{start: number, close: number, end: number}} file @returns {AttachedFile} */
function attached(lines, { start, close, end }) {
  const [, name, image] = IMAGE.exec(lines[start]) ?? [];
  const [, , , original] = (!image && OPENING.exec(lines[start + 1])) || [];
  return {
    name: name ?? lines[start].slice(0, -1),
    content: partOf(lines, start + 2, close),
    block: end === lines.length ? lines.slice(start).join("\n") : partOf(lines, start, end),
    image,
    original,
  };
}

/** @param {string[]} lines @param {number} start @param {number} end */
function partOf(lines, start, end) {
  return lines.slice(start, end).map((line) => `${line}\n`).join("");
}

/**
 * Return `block` as inserted after `before`, so that it starts on a line of its own.
 * @param {string} before
 * @param {string} block
 */
export function onItsOwnLine(before, block) {
  return before && !before.endsWith("\n") ? `\n${block}` : block;
}
