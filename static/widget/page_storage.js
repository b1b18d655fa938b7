/** What the panel stores on the website's page. If storage is blocked there, it is lost with the page. */

/**
 * What the frame can't store, because the browser denies it storage: this page keeps it for the next frame in this tab.
 * It is encrypted, and this page doesn't have the key: static/js/browser/sealed_storage.js.
 */
export class KeptCopy {
  #place;
  text = "";

  /** @param {string} site */
  constructor(site) {
    this.#place = `runnel-kept-${site}`;
    try {
      this.text = sessionStorage.getItem(this.#place) ?? "";
    } catch {
      // It stays until this page is left.
    }
  }

  /** @param {string} text "" for nothing */
  replace(text) {
    this.text = text;
    try {
      if (text) sessionStorage.setItem(this.#place, text);
      else sessionStorage.removeItem(this.#place);
    } catch {
      // Storage is full or blocked.
    }
  }
}

const EXPECTED_MS = 7 * 24 * 60 * 60 * 1000; // how long after a visit a person's answer is waited for

/**
 * Whether a person's answer is expected: w.js then loads the chat on the website's next page, also in another tab or on
 * another day. Visitors who have not asked for a person, and whom nobody helps, have no such entry.
 * @param {boolean} isExpected
 */
export function rememberExpected(isExpected) {
  try {
    if (isExpected) localStorage.setItem("runnel", String(Date.now() + EXPECTED_MS));
    else localStorage.removeItem("runnel");
  } catch {
    // Storage is blocked: only this page shows what arrives.
  }
}

/** Whether the visitor agreed to what the site asks for, so that messages.js may show messages. @param {boolean} isAgreed */
export function rememberAgreed(isAgreed) {
  try {
    if (isAgreed) localStorage.setItem("runnel-agreed", "1");
    else localStorage.removeItem("runnel-agreed");
  } catch {
    // Storage is blocked: no messages are shown.
  }
}
