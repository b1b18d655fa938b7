/* Passkeys on the pages of accounts: a form with `data-passkey` gets its credential from the device
 * when it is sent. What the server wants to know stands in the form as JSON, or at `data-options-url`. */
import { browserSupportsWebAuthn, startAuthentication, startRegistration } from "@simplewebauthn/browser";

const CEREMONIES = {
  create: (options) => startRegistration({ optionsJSON: asPasskey(options) }),
  get: (options) => startAuthentication({ optionsJSON: options }),
};
const PROBLEMS = {
  NotAllowedError: "cancelled",
  AbortError: "cancelled",
  InvalidStateError: "known",
  SecurityError: "elsewhere",
  NotSupportedError: "unsupported",
  ConstraintError: "unsupported",
  TooOften: "tooOften",
};

/** A passkey is found without a user name, and asks who holds it. */
function asPasskey(options) {
  const wanted = { residentKey: "required", requireResidentKey: true, userVerification: "required" };
  return { ...options, authenticatorSelection: { ...options.authenticatorSelection, ...wanted } };
}

async function optionsOf(form) {
  const address = form.dataset.optionsUrl;
  if (!address) return JSON.parse(form.querySelector("script[type='application/json']").textContent);
  const response = await fetch(address, { headers: { Accept: "application/json" } });
  if (response.status === 429) throw Object.assign(new Error(), { name: "TooOften" });
  return (await response.json()).request_options.publicKey;
}

function show(form, problem) {
  const place = form.querySelector("[role=alert][data-failed]");
  place.textContent = problem && place.dataset[problem];
  place.hidden = !problem;
}

async function ask(form) {
  const button = form.querySelector("button");
  button.disabled = true;
  show(form, "");
  try {
    const credential = await CEREMONIES[form.dataset.passkey](await optionsOf(form));
    form.elements.credential.value = JSON.stringify(credential);
    form.submit();
  } catch (error) {
    const name = error.cause?.name ?? error.name;
    show(form, PROBLEMS[name] ?? "failed");
    button.disabled = false;
    button.focus();
  }
}

for (const form of document.querySelectorAll("form[data-passkey]")) {
  form.hidden = false;
  if (browserSupportsWebAuthn()) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void ask(form);
    });
  } else {
    form.querySelector("button").disabled = true;
    show(form, "unsupported");
  }
}
