/**
 * What the frame tells its server of the page around it, if the website's owner has let the server read the website: its
 * address, and a hash by which the server notices that the page has changed. The text itself stays here.
 */

const MAX_CHARACTERS = 200_000;
const HASH_BYTES = 8;

/** @typedef {{address: string, value: string}} PageReport */

/** The reports of one frame, which has to ask for them. */
export class PageReports {
  #isWanted = false;
  #last = "";
  #tell;

  /** @param {(report: PageReport) => void} tell */
  constructor(tell) {
    this.#tell = tell;
  }

  /** Report this page, and from now on each new one that the chat is shown on. */
  want() {
    this.#isWanted = true;
    this.send();
  }

  async send() {
    const report = this.#isWanted && (await reportOfPage());
    const written = JSON.stringify(report);
    if (!report || written === this.#last) return;
    this.#last = written;
    this.#tell(report);
  }
}

/** @returns {Promise<PageReport | null>} null where browsers hash nothing, such as on pages without TLS */
async function reportOfPage() {
  if (!globalThis.crypto?.subtle) return null;
  await new Promise((resolve) => (globalThis.requestIdleCallback ?? setTimeout)(resolve));
  const main = /** @type {HTMLElement} */ (document.querySelector("main, [role=main]") ?? document.body);
  const text = main.innerText.split(/\s/).filter(Boolean).join(" ").slice(0, MAX_CHARACTERS);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  const value = Array.from(new Uint8Array(digest, 0, HASH_BYTES), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return { address: canonicalAddress(), value };
}

/** Return the address that the page is known by. Those in the browser may have secrets in their query. */
function canonicalAddress() {
  const link = /** @type {HTMLLinkElement | null} */ (document.querySelector('link[rel~="canonical"][href]'));
  if (link?.href.startsWith(`${location.origin}/`)) return link.href;
  return location.origin + location.pathname;
}
