/**
 * Show HTML without whatever acts: scripts, other pages, addresses. The policy of the frame stops scripts and requests by
 * itself; but browsers connect to the host of a link or a hint before they ask a policy, and its name may say something.
 */

const REMOVED = "script, iframe, frame, object, embed, link, meta, base, template, portal, fencedframe";
/** Elements without which the page is another. */
const MISSED = "script, iframe, frame, object, embed, link[rel~=stylesheet i]";
/** Could give an address back to a link. */
const ANIMATIONS = "set, animate";
const LINKS = new Set(["href", "xlink:href"]);
const FILES = new Set(["src", "poster", "background"]);
const DROPPED = new Set([
  "action", "attributionsrc", "autofocus", "autoplay", "data", "download", "formaction", "imagesrcset", "manifest", "nonce", "ping",
  "srcdoc", "srcset", "target",
]); // prettier-ignore

/**
 * Show HTML as this document.
 * @param {string} source
 * @param {() => void} withheld called if something of it is missing
 */
export function showPage(source, withheld) {
  const parsed = new DOMParser().parseFromString(source, "text/html");
  if (clean(parsed)) withheld();
  for (const kind of ["click", "auxclick"]) addEventListener(kind, follow, { capture: true });
  document.documentElement.replaceWith(document.adoptNode(parsed.documentElement));
}

/**
 * Remove what acts. The document is not shown yet, so nothing has happened.
 * @param {Document | Element} root
 * @returns {boolean} whether something is missing now
 */
export function clean(root) {
  let isIncomplete = root.querySelector(MISSED) !== null;
  for (const element of root.querySelectorAll(REMOVED)) element.remove();
  for (const element of root.querySelectorAll(ANIMATIONS)) {
    if (/href/i.test(element.getAttribute("attributeName") ?? "")) element.remove();
  }
  for (const element of root.querySelectorAll("*")) {
    for (const { name, value } of [...element.attributes]) {
      const key = name.toLowerCase();
      if (LINKS.has(key)) keepWithin(element, name, value);
      else if (DROPPED.has(key)) element.removeAttribute(name);
      else if (key.startsWith("on") || (FILES.has(key) && !isData(value))) {
        element.removeAttribute(name);
        isIncomplete = true;
      }
    }
  }
  return isIncomplete;
}

/** Leave only addresses of parts of the page. @param {Element} element @param {string} name @param {string} value */
function keepWithin(element, name, value) {
  const isLink = /^(a|area)$/i.test(element.localName);
  if (value.startsWith("#") || (!isLink && isData(value))) return;
  if (isLink) element.setAttribute(name, "#"); // so that it still looks like a link
  else element.removeAttribute(name);
}

/** @param {string} value */
function isData(value) {
  return /^\s*data:/i.test(value);
}

/** Go to a part of the page, without a step in the history. @param {Event} event */
function follow(event) {
  const link = event.composedPath().find((each) => each instanceof Element && each.matches("a, area"));
  if (!link) return;
  event.preventDefault();
  const address = /** @type {Element} */ (link).getAttribute("href") ?? "";
  if (event.type === "click" && /^#./.test(address)) location.replace(address);
}
