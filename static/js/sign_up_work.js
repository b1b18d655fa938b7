/* Signing up where the site asks a browser for some work first (SIGN_UP_PROOF_OF_WORK). It begins when
 * somebody begins to type, and mostly is over before they are done. */
import { solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/web/pbkdf2";

const NO_LIMIT = 0;

function start(form) {
  const challenge = JSON.parse(form.querySelector("script[type='application/json']").textContent);
  const status = form.querySelector("[role=status][data-working]");
  let work;

  async function solve() {
    const solution = await solveChallenge({ challenge, deriveKey, timeout: NO_LIMIT });
    return btoa(JSON.stringify({ challenge, solution }));
  }

  function begin() {
    return (work ??= solve());
  }

  async function finish() {
    status.textContent = status.dataset.working;
    try {
      form.elements.work.value = await begin();
      form.submit();
    } catch {
      status.textContent = status.dataset.failed;
      work = undefined;
    }
  }

  form.addEventListener("input", () => begin().catch(() => {}), { once: true });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (status.textContent !== status.dataset.working) void finish();
  });
}

for (const form of document.querySelectorAll("form[data-work]")) start(form);
