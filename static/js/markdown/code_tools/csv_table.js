/** Show a block of comma-separated values as a table; its source can be shown instead. */

import { plural, t } from "../../lib/i18n.js";
import { showBidiControls } from "../characters.js";
import { MAX_ROWS, parseCsv } from "./csv.js";

const NUMBER = /^[-+−]?[\p{Sc}]?\d[\d.,' ]*\s?[%\p{Sc}]?$/u;

/**
 * @param {Element} block
 * @param {string} source
 * @param {string} [separator]
 */
export function showAsTable(block, source, separator) {
  const { rows, count } = parseCsv(source, separator);
  if (rows.length < 2 || rows[0].length < 2 || block.querySelector(".csv-table")) return;
  const view = made("div", "csv-table", tableOf(rows));
  if (count > rows.length)
    view.append(made("p", "csv-note", t("The first {shown} rows of {count}.", { shown: MAX_ROWS, count: count - 1 })));
  const head = block.querySelector(".code-block-head");
  const toggle = made("button", "text-button show-source", t("Source"));
  toggle.setAttribute("type", "button");
  const show = (/** @type {boolean} */ isSource) => {
    block.classList.toggle("as-table", !isSource);
    toggle.setAttribute("aria-pressed", String(isSource));
  };
  toggle.addEventListener("click", () => show(block.classList.contains("as-table")));
  head?.firstElementChild?.after(toggle);
  block.append(view);
  show(false);
}

/** @param {string[][]} rows */
function tableOf([header, ...rows]) {
  const width = Math.max(header.length, ...rows.map((row) => row.length));
  const columns = Array.from({ length: width }, (_, i) => i);
  const isNumeric = columns.map((i) => rows.every((row) => !row[i] || NUMBER.test(row[i])) && rows.some((row) => row[i]));
  const line = (/** @type {string[]} */ row, /** @type {"td" | "th"} */ tag) => {
    const cells = columns.map((i) => {
      const cell = made(tag, isNumeric[i] ? "to-right" : "", showBidiControls(row[i] ?? ""));
      cell.dir = "auto";
      if (tag === "th") cell.setAttribute("scope", "col");
      return cell;
    });
    return made("tr", "", ...cells);
  };
  const table = made("table", "", made("thead", "", line(header, "th")), made("tbody", "", ...rows.map((row) => line(row, "td"))));
  const scroller = made("div", "table-scroller", table);
  scroller.tabIndex = 0;
  scroller.setAttribute("role", "group");
  const name = plural(rows.length, "Table with {count} row", "Table with {count} rows");
  scroller.setAttribute("aria-label", name);
  return scroller;
}

/**
 * @param {string} tag
 * @param {string} className
 * @param {...(Node | string)} children
 */
function made(tag, className, ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
}
