/**
 * The model picker: a select that holds the choice (model_menu.js shows it), and a select for the reasoning effort of
 * models that support it.
 */

/**
 * Another model that answers the same question, maybe without names.
 * @typedef {{compare_with: string, is_blind?: boolean}} Compared
 */
/**
 * What a chat needs to know about models. The widget has only one: see widget/fixed_model.js.
 * @typedef {object} ModelChoice
 * @property {string} chosen
 * @property {(id: string) => string} nameOf
 * @property {(callback: () => void, signal?: AbortSignal) => void} [onChange] only if it can be changed
 * @property {(id: string) => import("../../models/thinking_retry.js").RequestOptions} optionsFor additional parameters of requests to it
 * @property {(id: string) => import("../../models/thinking_retry.js").Abilities | undefined} abilitiesOf
 */

export class ModelPicker {
  /** @type {Compared | null} with what the next answer is compared */
  compared = null;
  #select;
  #thinking;

  /** @param {HTMLSelectElement} select @param {HTMLSelectElement} thinking */
  constructor(select, thinking) {
    this.#select = select;
    this.#thinking = thinking;
    this.onChange(() => this.#offerThinking());
    this.#offerThinking();
  }

  get options() {
    return Array.from(this.#select.options, (option) => {
      return { value: option.value, text: option.text, isSuggested: !option.closest("optgroup + optgroup") };
    });
  }

  get chosen() {
    return this.#select.value;
  }

  /** The context window of the chosen model in tokens; 0 if unknown. */
  get window() {
    return this.#factsOf(this.chosen)?.window ?? 0;
  }

  /**
   * Abilities of an available model.
   * @param {string} id
   * @returns {import("../../models/thinking_retry.js").Abilities | undefined}
   */
  abilitiesOf(id) {
    return this.#factsOf(id);
  }

  /** @param {string} id */
  #factsOf(id) {
    const [window, longest, vision, ...efforts] = this.#option(id)?.dataset.facts?.split(" ") ?? [];
    return longest ? { window: Number(window), longest: Number(longest), vision: vision === "1", efforts } : undefined;
  }

  /**
   * Return additional parameters of requests to a model.
   * @param {string} id
   * @returns {import("../../models/thinking_retry.js").RequestOptions}
   */
  optionsFor(id) {
    const { value } = this.#thinking;
    return value && this.abilitiesOf(id)?.efforts.includes(value) ? { reasoning_effort: value } : {};
  }

  /** @param {string} id a model; ignored if it is not offered */
  choose(id) {
    if (!this.#option(id) || id === this.chosen) return;
    this.#select.value = id;
    this.#select.dispatchEvent(new Event("change"));
  }

  /** @param {Compared | null} compared */
  compare(compared) {
    this.compared = compared;
    this.#select.dispatchEvent(new Event("change"));
  }

  /** Return with what the answer to a question is compared, which holds for this question only. */
  takeCompared() {
    const { compared } = this;
    if (compared) this.compare(null);
    return compared;
  }

  /** Forget what was chosen for another chat. @param {string} id the model of a new one */
  reset(id) {
    this.#thinking.value = "";
    this.compared = null;
    this.choose(id);
  }

  /** @param {() => void} callback @param {AbortSignal} [signal] stops calling */
  onChange(callback, signal) {
    this.#select.addEventListener("change", callback, { signal });
  }

  /** @param {string} id */
  nameOf(id) {
    return this.#option(id)?.text ?? id.slice(id.lastIndexOf("/") + 1);
  }

  /** Offer the reasoning efforts that the chosen model supports; hide the select if there are none. */
  #offerThinking() {
    const { efforts = [] } = this.abilitiesOf(this.chosen) ?? {};
    for (const option of this.#thinking.options) {
      const isOffered = option.value === "" || efforts.includes(option.value);
      option.hidden = option.disabled = !isOffered;
    }
    if (this.#thinking.selectedOptions[0]?.hidden) this.#thinking.value = "";
    this.#thinking.hidden = !efforts.some(Boolean);
  }

  /** @param {string} id */
  #option(id) {
    return Array.from(this.#select.options).find((option) => option.value === id);
  }
}
