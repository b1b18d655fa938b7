/**
 * Translate the page's texts. The code contains English; for other languages, the page includes a catalogue as JSON in
 * `#js-catalog`. Texts without a translation stay English.
 *
 * A catalogue maps each text to its translation, or to a list of plural forms in gettext's order: zero, one, two, few,
 * many, other, as far as the language has them. See docs/translating.md.
 */

/** @typedef {Record<string, string | number>} Values */
/** @typedef {Record<string, string | string[]>} Catalogue */

const ORDER = ["zero", "one", "two", "few", "many", "other"];
const ISOLATE = ["\u2068", "\u2069"]; // Unicode isolates: the text between them keeps its own direction

export class Translations {
  /** The language with the region the reader prefers, for `Intl`; always with digits as the server writes them. */
  locale;
  #language;
  #catalogue;
  #isolates;
  // Made when first needed: the browser takes up to 20 ms for the first of them.
  /** @type {Intl.PluralRules | undefined} */
  #rules;
  /** @type {Intl.NumberFormat | undefined} */
  #number;

  /**
   * @param {string} language
   * @param {Catalogue} [catalogue]
   * @param {object} [options]
   * @param {boolean} [options.isRtl] isolate values, so that they do not reorder a sentence
   * @param {readonly string[]} [options.preferred] the browser's languages
   */
  constructor(language, catalogue = {}, { isRtl = false, preferred = [] } = {}) {
    const regional = preferred.find((each) => isLocale(each) && each.split("-")[0] === language) ?? language;
    this.locale = new Intl.Locale(regional, { numberingSystem: "latn" }).toString();
    this.#language = language;
    this.#catalogue = catalogue;
    this.#isolates = isRtl ? ISOLATE : ["", ""];
  }

  /**
   * @param {string} text with `{name}` for each of the values
   * @param {Values} [values]
   */
  t(text, values = {}) {
    const found = Object.hasOwn(this.#catalogue, text) ? this.#catalogue[text] : text;
    return this.#fill(typeof found === "string" ? found : text, values);
  }

  /**
   * @param {number} count
   * @param {string} one
   * @param {string} other
   * @param {Values} [values] other values than `{count}`
   */
  plural(count, one, other, values = {}) {
    const forms = this.#catalogue[one];
    const text = Array.isArray(forms) ? this.#form(forms, count) : count === 1 ? one : other;
    return this.#fill(text, { count, ...values });
  }

  /** Isolate text of any direction within other text. @param {string} text */
  isolated(text) {
    return this.#isolates[0] + text + this.#isolates[1];
  }

  /** @param {string[]} forms @param {number} count */
  #form(forms, count) {
    this.#rules ??= new Intl.PluralRules(this.#language);
    const { pluralCategories } = this.#rules.resolvedOptions();
    const names = ORDER.filter((each) => pluralCategories.some((category) => category === each));
    const place = names.indexOf(this.#rules.select(count));
    return forms[Math.min(place, forms.length - 1)];
  }

  /** @param {string} text @param {Values} values */
  #fill(text, values) {
    return text.replace(/\{(\w+)\}/g, (whole, name) => {
      const value = values[name];
      if (typeof value === "number") return (this.#number ??= new Intl.NumberFormat(this.locale)).format(value);
      return value === undefined ? whole : this.isolated(value);
    });
  }
}

/**
 * Return whether `Intl` accepts the name; browsers sometimes report invalid ones like "en-US@posix".
 * @param {string} name
 */
function isLocale(name) {
  try {
    return Boolean(new Intl.Locale(name));
  } catch {
    return false;
  }
}

/** Return the page's translations, or English if there is no page. */
function wordsOfThePage() {
  if (typeof document === "undefined") return new Translations("en");
  const { lang, dir } = document.documentElement;
  const catalogue = JSON.parse(document.getElementById("js-catalog")?.textContent ?? "{}");
  return new Translations(lang || "en", catalogue, { isRtl: dir === "rtl", preferred: navigator.languages });
}

const words = wordsOfThePage();

export const { locale } = words;
export const t = words.t.bind(words);
export const plural = words.plural.bind(words);
export const isolated = words.isolated.bind(words);
