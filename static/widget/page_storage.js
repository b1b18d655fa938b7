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

/** Whether the visitor agreed to what the site asks for, so that messages.js may show messages. @param {boolean} isAgreed */
export function rememberAgreed(isAgreed) {
  try {
    if (isAgreed) localStorage.setItem("runnel-agreed", "1");
    else localStorage.removeItem("runnel-agreed");
  } catch {
    // Storage is blocked: no messages are shown.
  }
}
