/**
 * The chat on a website: a frame of the chat's own site. w.js loads this module, and prepares the frame, when the visitor
 * points at the button.
 *
 * Host and frame do not trust each other: the frame sends an empty hello, and the host checks its window and origin and
 * replies with one end of a channel. Everything else uses that channel. A frame that is only prepared gets no reply, and
 * so begins no session, until the chat is opened.
 */

import { createFrame } from "./frame.js";
import { KeptCopy, rememberAgreed, rememberExpected } from "./page_storage.js";
import { PageReports } from "./page_report.js";
import { styleFor } from "./panel_style.js";

/**
 * What w.js shares.
 * @typedef {object} Widget
 * @property {string} origin
 * @property {string} name
 * @property {ShadowRoot} root
 * @property {HTMLElement} box
 * @property {HTMLElement} button
 * @property {DOMStringMap} data of the tag
 * @property {MediaQueryList} small matches windows that the chat fills
 * @property {boolean} isInline in an element of the page, where it is always open
 * @property {boolean} isOpen
 * @property {boolean} isReady
 * @property {boolean} takesFocus
 * @property {number} unread
 * @property {string | (() => string | Promise<string>) | null} identity
 * @property {[type: string, value: string][]} calls what the frame is told once it is there
 * @property {(event: string, detail?: Record<string, unknown>) => void} emit
 * @property {() => void} update
 * @property {(number: number) => void} count
 * @property {(value?: string) => string | null | undefined} remember
 * @property {(focus?: boolean) => void} open
 * @property {() => void} close
 * @property {(code: "unreachable" | "refused") => void} fail
 */

const VERSION = 1;
const HELLO_MS = 15_000;
const AFTER_LOAD_MS = 3_000; // a refused frame loads too, but sends no greeting

/** One try to show the chat. If it fails, nothing of it is left, and the next try has another panel. */
export class Panel {
  #widget;
  #sheet = new CSSStyleSheet();
  /** @type {HTMLIFrameElement | null} */
  #frame = null;
  #isWanted = false; // rather than only prepared
  #isLoaded = false;
  #hasGreeted = false;
  #skeleton = document.createElement("i");
  /** @type {MessagePort | null} */
  #port = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {(() => void)[]} resolve the promises of `shutdown` */
  #leaving = [];
  /** @type {string | null} the page's own `overflow` while it cannot scroll */
  #overflow = null;
  #listening = new AbortController();
  #context = "{}"; // the last one
  #kept;
  #isExpecting = false; // whether a person is to answer, so that the closed chat has to be there
  #reports = new PageReports((report) => this.#tell("page", report));
  /** @type {Element | null} what had the focus before the chat was opened */
  #before = null;

  /** @param {Widget} widget */
  constructor(widget) {
    this.#widget = widget;
    this.#sheet.replaceSync(styleFor(widget.small.media));
    widget.root.adoptedStyleSheets.push(this.#sheet);
    this.#skeleton.style.colorScheme = widget.data.theme ?? "";
    this.#kept = new KeptCopy(widget.data.site ?? "");
    this.#listen();
    widget.small.addEventListener("change", () => this.#lockScrolling(), { signal: this.#listening.signal });
  }

  /** Load the chat's page, in which nothing begins before the chat is wanted. */
  prepare() {
    if (this.#frame) return;
    const frame = createFrame(this.#widget);
    frame.onload = () => {
      this.#isLoaded = true;
      this.#expectHello();
    };
    this.#frame = frame;
    this.#widget.box.append(frame, this.#skeleton);
  }

  /** Create the chat without showing it, because news are expected. */
  watch() {
    this.#isExpecting = true;
    this.#load();
  }

  /** Show the chat, and create it if it is not there yet. */
  show() {
    const widget = this.#widget;
    if (!widget.isOpen) return;
    this.#preview(false);
    this.#load();
    this.#lockScrolling();
    if (!this.#port) return;
    if (widget.takesFocus) {
      this.#before = document.activeElement;
      this.#frame?.focus();
      // Not over the channel: WebKit lets a frame move the focus only if a message to its window tells it of the click.
      this.#frame?.contentWindow?.postMessage({ runnel: VERSION, type: "focus" }, this.#widget.origin);
    }
    // Without query and fragment, which may hold secrets.
    this.#tell("shown", { focus: widget.takesFocus, address: location.origin + location.pathname });
    this.tellAll();
    this.#reports.send();
  }

  hide() {
    const { root, button } = this.#widget;
    const hadFocus = root.activeElement === this.#frame && this.#frame !== null;
    this.#lockScrolling();
    this.#tell("hidden");
    this.#expect(this.#isExpecting);
    if (!hadFocus) return;
    const next = button.hidden ? this.#before : button;
    if (next instanceof HTMLElement) next.focus();
  }

  /** Load the chat again: in another language, or because the page has replaced its document. */
  reload() {
    this.#listen(); // a page that writes its document anew removes all listeners
    if (!this.#frame) return;
    this.#port?.close();
    this.#port = null;
    this.#frame.remove(); // a new address for the same frame would be an entry in the tab's history
    this.#frame = null;
    this.#isLoaded = this.#hasGreeted = false;
    this.#widget.isReady = false;
    this.#widget.calls.unshift(["context", this.#context]);
    this.prepare();
    this.#expectHello();
  }

  /** Tell the frame what the page has asked for. */
  tellAll() {
    if (!this.#port) return;
    for (const [type, value] of this.#widget.calls.splice(0)) {
      if (type === "context") this.#context = value;
      this.#tell(type, { value });
    }
  }

  async introduce() {
    const jwt = this.#widget.identity;
    if (!this.#port || !jwt) return;
    if (typeof jwt === "string") this.#widget.identity = null; // a token is accepted only once
    try {
      this.#tell("identity", { jwt: typeof jwt === "string" ? jwt : await jwt() });
    } catch (error) {
      console.warn("Runnel: the function given to identify() failed", error);
      this.#widget.emit("error", { code: "identify_failed" });
    }
  }

  /** @returns {Promise<void>} resolves when the browser has nothing left of the visitor */
  shutdown() {
    this.#load();
    this.#tell("shutdown");
    return new Promise((resolve) => this.#leaving.push(resolve));
  }

  /** Remove everything. The chat must be closed. */
  destroy() {
    const { root } = this.#widget;
    clearTimeout(this.#timer);
    this.#listening.abort();
    this.#lockScrolling();
    this.#port?.close();
    this.#frame?.remove();
    this.#skeleton.remove();
    root.adoptedStyleSheets = root.adoptedStyleSheets.filter((each) => each !== this.#sheet);
    for (const resolve of this.#leaving.splice(0)) resolve();
  }

  #load() {
    this.#isWanted = true;
    this.prepare();
    this.#expectHello();
    this.#answer();
  }

  /** Adding the same listener again has no effect. */
  #listen() {
    const { signal } = this.#listening;
    addEventListener("message", this.#greeted, { signal });
    this.#widget.button.addEventListener("keydown", this.#pressed, { signal });
  }

  /** Give up on a frame that does not greet in time. One in the page may load much later. */
  #expectHello() {
    clearTimeout(this.#timer);
    if (!this.#isWanted || this.#hasGreeted || !this.#widget.box.isConnected || (this.#widget.isInline && !this.#isLoaded)) return;
    this.#timer = setTimeout(() => this.#failed(), this.#isLoaded ? AFTER_LOAD_MS : HELLO_MS);
  }

  async #failed() {
    // A website cannot see why a frame did not come; but it can load this module again.
    const code = await import(`${this.#widget.origin}/w-panel.js?again=${Date.now()}`).then(
      () => /** @type {const} */ ("refused"),
      () => /** @type {const} */ ("unreachable"),
    );
    if (this.#port || this.#listening.signal.aborted) return; // it came after all, or is gone
    this.#widget.fail(code);
    this.destroy();
  }

  /** @param {KeyboardEvent} event */
  #pressed = ({ key }) => {
    if (key === "Escape") this.#widget.close();
  };

  /** @param {MessageEvent} event */
  #greeted = (event) => {
    const parent = this.#frame?.contentWindow;
    if (!parent || event.source !== parent || event.origin !== this.#widget.origin || event.data?.runnel !== VERSION) return;
    clearTimeout(this.#timer);
    this.#hasGreeted = true;
    this.#port = null; // after a frame has loaded its page again
    this.#answer();
    this.show();
  };

  /** Open the channel to a frame that is wanted and has greeted. */
  #answer() {
    if (!this.#isWanted || !this.#hasGreeted || this.#port || !this.#frame?.contentWindow) return;
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#port.onmessage = (message) => this.#heard(message.data);
    const greeting = { runnel: VERSION, type: "port", kept: this.#kept.text };
    this.#frame.contentWindow.postMessage(greeting, this.#widget.origin, [port2]);
    this.#frame.className = "here";
    this.#widget.isReady = true;
    if (this.#leaving.length) this.#tell("shutdown");
    this.introduce();
    this.tellAll();
    this.#widget.update();
  }

  /** @param {{runnel: unknown, type: string, role?: string, isExpecting?: boolean, isAgreed?: boolean, value?: unknown}} message */
  #heard({ runnel, type, ...detail }) {
    if (runnel !== VERSION) return;
    const widget = this.#widget;
    if (type === "agreed") rememberAgreed(detail.isAgreed === true);
    if (type === "keep") this.#kept.replace(String(detail.value ?? ""));
    if (type === "expects") this.#expect(detail.isExpecting === true);
    if (/expects|left/.test(type)) rememberExpected(detail.isExpecting === true);
    if (type === "watch") this.#reports.want();
    if (type === "preview") this.#preview(!widget.isOpen);
    if (type === "dismiss") this.#preview(false);
    if (type === "open") widget.open(false); // the visitor has pressed something in the frame, which has the focus
    if (type === "close" && !widget.isInline) widget.close();
    if (type === "left") for (const resolve of this.#leaving.splice(0)) resolve();
    if (/ready|message|error|identified|person_requested/.test(type)) widget.emit(type, detail);
    if (type === "message" && detail.role === "assistant" && !widget.isOpen) widget.count(widget.unread + 1);
  }

  /** @param {boolean} isExpecting whether the next page has to load the chat even if it is closed */
  #expect(isExpecting) {
    this.#isExpecting = isExpecting;
    const { isOpen, isInline, remember } = this.#widget;
    if (!isOpen && !isInline) remember(isExpecting ? "2" : "");
  }

  /** Show the last words of a person above the button of a closed chat. @param {boolean} isShown */
  #preview(isShown) {
    this.#frame?.classList.toggle("preview", isShown);
  }

  /** @param {string} type @param {object} [more] */
  #tell(type, more) {
    this.#port?.postMessage({ runnel: VERSION, type, ...more });
  }

  /** Keep the page behind a chat that fills the window from scrolling. */
  #lockScrolling() {
    const { style } = document.documentElement;
    const { isOpen, isInline, small } = this.#widget;
    const isLocked = isOpen && !isInline && small.matches;
    if (isLocked === (this.#overflow !== null)) return;
    [style.overflow, this.#overflow] = isLocked ? ["hidden", style.overflow] : [this.#overflow ?? "", null];
  }
}

/** @param {Widget} widget */
export const createPanel = (widget) => new Panel(widget);
