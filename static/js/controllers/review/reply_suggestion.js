/**
 * Put a suggested reply into the message box, after what was typed there, and show what it is based on. It is sent only
 * by the person. Until the text is changed, the suggestion can be removed, and another one replaces it.
 */

import { ApiError } from "../../api/errors.js";
import { t } from "../../lib/i18n.js";
import { cloneTemplate } from "../ui/template_parts.js";

/** @typedef {import("../../api/staff_review.js").SuggestedReply} SuggestedReply */
/** @typedef {import("../../api/staff_review.js").TeamSource} TeamSource */
/** @typedef {{suggestionState: HTMLElement, suggestionUndo: HTMLElement, suggestionBasis: HTMLElement, suggestionSources: HTMLElement}} SuggestionParts */

export class ReplySuggestion {
  #button;
  #parts;
  #field;
  #request;
  /** @type {{before: string, after: string} | null} the text without and with the suggestion */
  #added = null;
  #isWriting = false;

  /**
   * @param {HTMLButtonElement} button
   * @param {SuggestionParts} parts
   * @param {HTMLTextAreaElement} field
   * @param {() => Promise<SuggestedReply>} request
   */
  constructor(button, parts, field, request) {
    this.#button = button;
    this.#parts = parts;
    this.#field = field;
    this.#request = request;
    button.addEventListener("click", () => this.#suggest());
    parts.suggestionUndo.addEventListener("click", () => this.#remove());
    field.addEventListener("input", () => {
      if (this.#added?.after !== field.value) this.#keep();
    });
  }

  /** Forget the suggestion once its text was sent. */
  clear() {
    this.#keep();
    this.#tell("");
    this.#list([]);
  }

  async #suggest() {
    if (this.#isWriting) return;
    this.#write(true);
    this.#tell(t("Writing a suggestion…"));
    try {
      this.#show(await this.#request());
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.#tell(error.message || t("This page no longer updates. Reload it."));
    } finally {
      this.#write(false);
    }
  }

  /** The button keeps the focus meanwhile. @param {boolean} isWriting */
  #write(isWriting) {
    this.#isWriting = isWriting;
    this.#button.setAttribute("aria-disabled", String(isWriting));
  }

  /** @param {SuggestedReply} reply */
  #show({ text, sources }) {
    if (!text) {
      this.#tell(sources.length ? t("The model wrote nothing. Try again.") : t("Nothing about this was found in the website's sources."));
      return;
    }
    const before = this.#added?.before ?? this.#field.value;
    const after = before.trim() ? `${before.trimEnd()}\n\n${text}` : text;
    this.#added = { before, after };
    this.#set(after);
    const isInternal = sources.some((source) => source.is_for_team);
    this.#tell(isInternal ? t("Suggestion added. Parts of it are only for the team: check it before you send it.") : t("Suggestion added. Check it before you send it."));
    this.#parts.suggestionUndo.hidden = false;
    this.#list(sources);
    if (document.activeElement === this.#button) this.#field.focus();
  }

  #remove() {
    if (this.#added) this.#set(this.#added.before);
    this.clear();
    this.#field.focus();
  }

  /** Leave the text as it is. */
  #keep() {
    this.#added = null;
    this.#parts.suggestionUndo.hidden = true;
  }

  /** @param {string} text */
  #set(text) {
    this.#field.value = text;
    this.#field.dispatchEvent(new InputEvent("input", { bubbles: true })); // so that it is kept as a draft
  }

  /** @param {string} words */
  #tell(words) {
    this.#parts.suggestionState.textContent = words;
  }

  /** @param {TeamSource[]} sources */
  #list(sources) {
    this.#parts.suggestionSources.replaceChildren(...sources.map(item));
    this.#parts.suggestionBasis.hidden = !sources.length;
  }
}

/** @param {TeamSource} source */
function item({ name, page, address, is_for_team: isForTeam }) {
  const { root, parts } = cloneTemplate("suggestion-source");
  const label = page ? t("{name}, page {page}", { name, page }) : name;
  const isLink = Boolean(address && /^https?:/.test(address));
  if (isLink) /** @type {HTMLAnchorElement} */ (parts.link).href = /** @type {string} */ (address);
  parts.link.hidden = !isLink;
  parts[isLink ? "linked" : "name"].textContent = label;
  parts.team.hidden = !isForTeam;
  return root;
}
