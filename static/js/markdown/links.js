/**
 * Where links may lead, and what to show beside them. A model may have read a page that tries to lure the user
 * elsewhere, so a link whose text looks like another address shows its real host after it.
 */

import { hasInvisibleCharacters } from "./characters.js";
import { MAX_LABEL_LENGTH } from "./limits.js";

const SCHEMES = new Set(["http:", "https:", "mailto:", "tel:"]);
/** `example.org` or `192.0.2.1`, also with characters that look like dots, but not `e.g.` or `3.12`. */
const HOST = /(?<![\p{L}\p{N}\p{M}_-])(?:[\p{L}\p{N}\p{M}_-]{1,63}[.\u3002]){1,20}\p{L}[\p{L}\p{N}\p{M}_-]+|(?<!\d)\d+(?:\.\d+){3}/gu;
const SCHEME = /^.*?:[/\\]{2,}|^\W*[a-z][a-z\d+-]*:/i;
const ASCII = /^[\x20-\x7e]*$/;

export const LINK_ATTRIBUTES = { rel: "noopener noreferrer nofollow ugc", target: "_blank" };

/**
 * Return the URL of a link, or null if it must not be followed. Relative URLs would lead to this site.
 * @param {string} href
 * @returns {URL | null}
 */
export function safeUrl(href) {
  const url = parse(href);
  if (!url || !SCHEMES.has(url.protocol)) return null;
  return isWeb(url) && !url.hostname ? null : url;
}

/**
 * Return what to show after a link that could be mistaken for another; "" if its text is honest.
 * @param {string} label the link's text as shown
 * @param {URL} url
 */
export function hostNote(label, url) {
  if (!isWeb(url)) return noteForAddressee(label, url);
  if (label.length > MAX_LABEL_LENGTH) return url.host;
  if (hasInvisibleCharacters(label) || hasInvisibleCharacters(safely(decodeURI, url.href))) return url.host;
  if (url.username || url.password || url.hostname.includes("xn--")) return url.host;
  return hostsIn(label).every((host) => isSame(host, url.hostname)) ? "" : url.host;
}

/** @param {string} label @param {URL} url a mailto: or tel: URL */
function noteForAddressee(label, url) {
  const addressee = safely(decodeURIComponent, url.pathname);
  const isPlain = label.length <= MAX_LABEL_LENGTH && ASCII.test(label) && ASCII.test(addressee);
  if (isPlain && !hostsIn(label).length && !/\d{3}/.test(label)) return "";
  return isPlain && label.replace(/\s/g, "").includes(addressee) ? "" : addressee;
}

/** Return what could be hosts in a text, which may be a URL with a path. @param {string} label */
function hostsIn(label) {
  const words = label.normalize("NFKC").split(/\s+/);
  return words.flatMap((word) => word.replace(SCHEME, "").split(/[/?#\\]/, 1)[0].match(HOST) ?? []);
}

/**
 * Return whether a name in a text is the host that its link leads to. Names outside ASCII may look like others.
 * @param {string} name
 * @param {string} host
 */
function isSame(name, host) {
  if (!ASCII.test(name)) return false;
  const [one, other] = [name, host].map((each) => each.toLowerCase().replace(/^www\./, ""));
  return one === other;
}

/** @param {URL} url */
function isWeb(url) {
  return url.protocol === "http:" || url.protocol === "https:";
}

/** @param {string} href */
function parse(href) {
  try {
    return new URL(href);
  } catch {
    return null;
  }
}

/** @param {(text: string) => string} decode @param {string} text */
function safely(decode, text) {
  try {
    return decode(text);
  } catch {
    return text;
  }
}
