/** The strip above the composer while an answer is read aloud: pause, speed, stop. */

import { locale, t } from "../../lib/i18n.js";

const RATES = [0.75, 1, 1.25, 1.5, 2];

/**
 * @typedef {object} StripHandlers
 * @property {() => void} pause or go on
 * @property {(rate: number) => void} speed
 * @property {() => void} stop
 */

export class ReadingStrip {
  root = document.createElement("div");
  #pause;

  /** @param {number} rate @param {StripHandlers} handlers */
  constructor(rate, { pause, speed, stop }) {
    const label = document.createElement("span");
    label.className = "truncate";
    label.textContent = t("Reading aloud");
    this.#pause = button("", pause);
    this.root.id = "reading-aloud";
    this.root.className = "queued";
    this.root.role = "group";
    this.root.ariaLabel = t("Reading aloud");
    this.root.append(label, speedChoice(rate, speed), this.#pause, button(t("Stop"), stop));
    this.show(false);
  }

  /** @param {boolean} isPaused */
  show(isPaused) {
    this.#pause.textContent = isPaused ? t("Resume") : t("Pause");
  }
}

/** @param {string | null} rate as it was remembered */
export function rateFrom(rate) {
  return RATES.find((each) => String(each) === rate) ?? 1;
}

/** @param {string} words @param {() => void} press */
function button(words, press) {
  const element = document.createElement("button");
  element.type = "button";
  element.className = "button plain";
  element.textContent = words;
  element.addEventListener("click", press);
  return element;
}

/** @param {number} rate @param {(rate: number) => void} change */
function speedChoice(rate, change) {
  const select = document.createElement("select");
  select.className = "button plain";
  select.ariaLabel = t("Speed");
  select.autocomplete = "off";
  const numbers = new Intl.NumberFormat(locale);
  for (const each of RATES) select.append(new Option(`${numbers.format(each)}×`, String(each), false, each === rate));
  select.addEventListener("change", () => change(Number(select.value)));
  return select;
}
