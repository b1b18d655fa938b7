/** Complete names of staff after "@" in a note. */

import { CompletionList } from "../../browser/completion_list.js";
import { plural, t } from "../../lib/i18n.js";
import { matchingNames, mentionAt } from "../../lib/mentions.js";

/** Each field of a page has its own list, and IDs are unique. */
let lists = 0;

/**
 * @param {HTMLTextAreaElement} field
 * @param {string[]} names
 * @param {{ hint: (words: string) => void }} status
 */
export function completeMentions(field, names, status) {
  /** @type {string[]} */
  let shown = [];
  const list = new CompletionList(field, { id: `mentions${(lists += 1)}`, className: "mention-list", label: t("Staff") }, choose);
  field.parentElement?.append(list.element);
  field.addEventListener("input", update);
  field.addEventListener("blur", () => list.close());
  field.addEventListener("keydown", (event) => list.press(event));

  function update() {
    const mention = mentionAt(field.value, field.selectionStart);
    shown = mention ? matchingNames(names, mention.query) : [];
    if (!shown.length) list.close();
    else if (list.show(shown.map((name, place) => option(name, `${list.element.id}-${place}`)), 0)) {
      status.hint(plural(shown.length, "{count} name. Use the arrow keys to choose.", "{count} names. Use the arrow keys to choose."));
    }
  }

  /** @param {number} place */
  function choose(place) {
    const caret = field.selectionStart;
    const mention = mentionAt(field.value, caret);
    if (mention) field.setRangeText(`${shown[place]} `, mention.start, caret, "end");
    list.close();
  }
}

/** @param {string} name @param {string} id */
function option(name, id) {
  const element = document.createElement("div");
  element.id = id;
  const words = document.createElement("bdi");
  words.textContent = name;
  element.append(words);
  return element;
}
