/** Try the entered connection to the model provider, and show the result beside the form. */

/** @typedef {{is_ok: boolean, title: string, answer: string, notes: string[]}} TrialResult */

/** @param {HTMLElement} result where the result is shown, in the form */
export function wireTrial(result) {
  const form = /** @type {HTMLFormElement} */ (result.closest("form"));
  const button = /** @type {HTMLButtonElement} */ (form.querySelector("button[formaction]"));
  button.addEventListener("click", async (event) => {
    event.preventDefault();
    if (button.getAttribute("aria-disabled")) return;
    button.setAttribute("aria-disabled", "true");
    delete result.dataset.ok;
    result.replaceChildren(line(button.dataset.testing ?? ""));
    try {
      show(result, await ask(button.formAction, form));
    } catch {
      show(result, { is_ok: false, title: button.dataset.failed ?? "", answer: "", notes: [] });
    }
    button.removeAttribute("aria-disabled");
  });
}

/** @param {string} url @param {HTMLFormElement} form @returns {Promise<TrialResult>} */
async function ask(url, form) {
  const headers = { Accept: "application/json" };
  const response = await fetch(url, { method: "POST", body: new FormData(form), headers, cache: "no-store" });
  if (!response.ok) throw new Error(String(response.status));
  return response.json();
}

/** @param {HTMLElement} result @param {TrialResult} found */
function show(result, { is_ok: isOk, title, answer, notes }) {
  const said = document.createElement("blockquote");
  said.dir = "auto";
  said.textContent = answer;
  const head = line("");
  head.append(Object.assign(document.createElement("b"), { textContent: title }));
  result.dataset.ok = isOk ? "yes" : "no";
  result.replaceChildren(head, ...(answer ? [said] : []), ...notes.map((text) => line(text, "small quiet")));
}

/** @param {string} text */
function line(text, className = "") {
  return Object.assign(document.createElement("p"), { textContent: text, className });
}
