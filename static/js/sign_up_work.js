/* Proof of work at sign-up, if the site requires it (SIGN_UP_PROOF_OF_WORK). It starts when the user starts to type,
 * and usually ends before they finish. */
import { solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/web/pbkdf2";
import { findElement, findElements, readJson } from "./browser/dom.js";

const NO_LIMIT = 0;

/** @param {HTMLFormElement} form */
function start(form) {
  /** @type {import("altcha-lib/types").Challenge} */
  const challenge = readJson(form);
  const status = findElement(form, "[role=status][data-working]", HTMLElement);
  const { working = "", failed = "" } = status.dataset;
  /** @type {Promise<string> | undefined} */
  let work;

  async function solve() {
    const solution = await solveChallenge({ challenge, deriveKey, timeout: NO_LIMIT });
    return btoa(JSON.stringify({ challenge, solution }));
  }

  function begin() {
    return (work ??= solve());
  }

  async function finish() {
    status.textContent = working;
    try {
      findElement(form, "[name=work]", HTMLInputElement).value = await begin();
      form.submit();
    } catch {
      status.textContent = failed;
      work = undefined;
    }
  }

  form.addEventListener("input", () => begin().catch(() => {}), { once: true });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (status.textContent !== working) void finish();
  });
}

for (const form of findElements(document, "form[data-work]", HTMLFormElement)) start(form);
