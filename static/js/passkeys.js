/* Passkeys on account pages: a form with `data-passkey` gets its credential from the device when it is submitted. The
 * server's options are in the form as JSON, or at `data-options-url`. */
import { browserSupportsWebAuthn, startAuthentication, startRegistration } from "@simplewebauthn/browser";
import { findElement, findElements, readJson } from "./browser/dom.js";

/** @typedef {import("@simplewebauthn/browser").PublicKeyCredentialCreationOptionsJSON} CreationOptions */
/** @typedef {import("@simplewebauthn/browser").PublicKeyCredentialRequestOptionsJSON} RequestOptions */

const PROBLEMS = new Map([
  ["NotAllowedError", "cancelled"],
  ["AbortError", "cancelled"],
  ["InvalidStateError", "known"],
  ["SecurityError", "elsewhere"],
  ["NotSupportedError", "unsupported"],
  ["ConstraintError", "unsupported"],
  ["TooOften", "tooOften"],
]);

/** Ask the device to create a passkey, or to sign in with one. @param {HTMLFormElement} form */
async function credentialFor(form) {
  const options = await optionsOf(form);
  return form.dataset.passkey === "create"
    ? startRegistration({ optionsJSON: asPasskey(/** @type {CreationOptions} */ (options)) })
    : startAuthentication({ optionsJSON: /** @type {RequestOptions} */ (options) });
}

/** Use a discoverable passkey that verifies its user. @param {CreationOptions} options @returns {CreationOptions} */
function asPasskey(options) {
  return {
    ...options,
    authenticatorSelection: {
      ...options.authenticatorSelection,
      residentKey: "required",
      requireResidentKey: true,
      userVerification: "required",
    },
  };
}

/** @param {HTMLFormElement} form @returns {Promise<CreationOptions | RequestOptions>} */
async function optionsOf(form) {
  const address = form.dataset.optionsUrl;
  if (!address) return readJson(form);
  const response = await fetch(address, { headers: { Accept: "application/json" } });
  if (response.status === 429) throw Object.assign(new Error(), { name: "TooOften" });
  return (await response.json()).request_options.publicKey;
}

/** @param {HTMLFormElement} form @param {string} problem its name in the form's data attributes; "" for none */
function show(form, problem) {
  const place = findElement(form, "[role=alert][data-failed]", HTMLElement);
  place.textContent = problem && (place.dataset[problem] ?? "");
  place.hidden = !problem;
}

/** @param {HTMLFormElement} form */
async function ask(form) {
  const button = findElement(form, "button", HTMLButtonElement);
  button.disabled = true;
  show(form, "");
  try {
    findElement(form, "[name=credential]", HTMLInputElement).value = JSON.stringify(await credentialFor(form));
    form.submit();
  } catch (error) {
    show(form, PROBLEMS.get(nameOf(error)) ?? "failed");
    button.disabled = false;
    button.focus();
  }
}

/** Return the name of the browser's own error, which the library wraps. @param {unknown} error */
function nameOf(error) {
  if (!(error instanceof Error)) return "";
  return error.cause instanceof Error ? error.cause.name : error.name;
}

for (const form of findElements(document, "form[data-passkey]", HTMLFormElement)) {
  form.hidden = false;
  if (browserSupportsWebAuthn()) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void ask(form);
    });
  } else {
    findElement(form, "button", HTMLButtonElement).disabled = true;
    show(form, "unsupported");
  }
}
