/** Let a visitor attach images and files, loaded only on websites whose owner allows it. */

import { wireFileInput } from "../composer/file_input.js";

/**
 * @param {Omit<import("../composer/file_input.js").FileInputParts, "models" | "signal">} parts
 * @param {string} site its name, which stands for its model
 */
export function wireVisitorFiles(parts, site) {
  const vision = parts.form.dataset.readsImages !== undefined;
  const models = {
    chosen: "",
    options: [{ value: "", text: site }],
    abilitiesOf: () => ({ vision }),
    nameOf: () => site,
    choose: () => {}, // its owner has
    onChange: () => {},
  };
  wireFileInput({ ...parts, models, signal: new AbortController().signal });
}
