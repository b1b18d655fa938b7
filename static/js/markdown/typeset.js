/** Formulas as MathML, by Temml, which is fetched when there is one. What it does not understand stays as it was written. */

/** @type {Promise<any> | undefined} */
let loading;

/**
 * @param {Element} element that holds the source of a formula
 * @param {string} source
 * @param {boolean} isDisplay
 */
export async function typeset(element, source, isDisplay) {
  loading ??= load();
  const temml = await loading.catch(() => null);
  if (!temml) return;
  // Nothing that leads out of a formula: links, pictures, styles and ids are refused without trust.
  const options = { displayMode: isDisplay, throwOnError: true, trust: false, maxExpand: 500, maxSize: [20, 20] };
  const formula = document.createElement("span");
  try {
    temml.default.render(source, formula, options);
  } catch {
    return;
  }
  if (formula.querySelector(":is(a, img, [href], [src], [style*=url])")) return;
  element.replaceChildren(...formula.childNodes);
  element.classList.add("typeset");
}

function load() {
  const styles = document.createElement("link");
  styles.rel = "stylesheet";
  styles.href = import.meta.resolve("temml.css");
  document.head.append(styles);
  return import("temml");
}
