/**
 * The website around the frame. The frame sends it an empty hello; once the chat is wanted, static/widget/panel.js
 * answers with one end of a channel, which both use from then on. The server decides which websites may embed the frame.
 */

const VERSION = 1;

/**
 * @typedef {object} Handlers
 * @property {(message: {focus: boolean, address: string}) => void} shown
 * @property {() => void} hidden
 * @property {() => void} focus
 * @property {(message: {jwt: string}) => void} identity
 * @property {() => void} shutdown
 * @property {(message: {value: string}) => void} send
 * @property {(message: {value: string}) => void} prefill
 * @property {(message: {value: string}) => void} context
 * @property {(message: {value: string}) => void} greet
 * @property {(message: {address: string, value: string}) => void} page
 */

export class HostPage {
  /** Whether the page is in a frame; it can also be opened on its own. */
  isThere = parent !== window;
  /** What an earlier frame had the website keep, encrypted: see sealed_storage.js. */
  kept = "";
  #handlers;
  /** @type {MessagePort | null} */
  #port = null;
  /** @type {object[]} messages to send once the website has answered */
  #waiting = [];
  /** @type {() => void} */
  #want = () => {};
  /** Resolves when the chat is wanted: a visitor may only have pointed at the button. @type {Promise<void>} */
  wanted = new Promise((resolve) => (this.#want = resolve));

  /** @param {Handlers} handlers */
  constructor(handlers) {
    this.#handlers = handlers;
    addEventListener("message", (event) => this.#posted(event));
    if (this.isThere) parent.postMessage({ runnel: VERSION, type: "hello" }, "*");
    else this.#want();
  }

  /** @param {string} type @param {object} [more] */
  tell(type, more) {
    const message = { runnel: VERSION, type, ...more };
    if (this.#port) this.#port.postMessage(message);
    else if (this.isThere) this.#waiting.push(message);
  }

  /** @param {MessageEvent} event */
  #posted({ source, data, ports }) {
    if (source !== parent || data?.runnel !== VERSION) return;
    if (data.type === "port" && ports[0]) this.#answered(data, ports);
    if (data.type === "focus" && this.#port) this.#handlers.focus();
  }

  /** Use the first channel that the loader sends. @param {{kept: unknown}} data @param {readonly MessagePort[]} ports */
  #answered(data, ports) {
    if (this.#port) return;
    this.#port = ports[0];
    if (typeof data.kept === "string") this.kept = data.kept;
    this.#port.onmessage = (event) => this.#heard(event.data);
    for (const message of this.#waiting.splice(0)) this.#port.postMessage(message);
    this.#want();
  }

  /** @param {{runnel: unknown, type: string, focus: boolean, address: unknown, jwt: string, value: unknown}} message its fields depend on `type` */
  #heard({ runnel, type, focus, address, jwt, value }) {
    if (runnel !== VERSION || !Object.hasOwn(this.#handlers, type)) return;
    this.#handlers[/** @type {keyof Handlers} */ (type)]({ focus, address: String(address ?? ""), jwt, value: String(value) });
  }
}
