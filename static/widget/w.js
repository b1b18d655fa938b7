/**
 * The script that a website includes. It shows a button; the chat is a frame of the chat's own site, created on first
 * use. Its API is in docs/widget.md.
 *
 * Host and frame do not trust each other: the frame sends an empty hello, and the host checks its window and origin and
 * replies with one end of a channel. Everything else uses that channel.
 */
(() => {
  const script = /** @type {HTMLScriptElement | null} */ (document.currentScript);
  /** @typedef {Record<string, unknown>} Detail */
  /** @typedef {[method: string, ...args: unknown[]]} Call what a page asked for before this script was there */
  const page = /** @type {Window & {Runnel?: object}} */ (window);
  const early = /** @type {{open?: unknown, q?: Call[]} | undefined} */ (page.Runnel);
  if (!script || early?.open) return; // a page with two tags still has one chat

  const VERSION = 1;
  const HELLO_MS = 15_000;
  const AFTER_LOAD_MS = 3_000; // a refused frame loads too, but sends no greeting
  const NARROW = "(max-width:480px)"; // the chat fills the window
  const SANDBOX = "allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox";
  const BUBBLE = "M21 12a8.5 8.5 0 0 1-12.4 7.5L3 21l1.6-5.4A8.5 8.5 0 1 1 21 12z";
  const DOWN = "m6 9.5 6 6 6-6";
  const STYLE = `
:host{all:initial!important}
*{box-sizing:border-box}
div{--c:var(--runnel-color,#0b5560);--gap:var(--runnel-gap,20px);--ink:#fff}
@supports(color:lch(from red l c h)){div{--ink:lch(from var(--c) calc((49.4 - l)*99) 0 0)}}
button,iframe{position:fixed;z-index:var(--runnel-layer,2147483000);inset-inline-end:var(--gap);inset-block-end:var(--gap)}
.start>*{inset-inline:var(--gap) auto}
button{display:flex;align-items:center;justify-content:center;gap:8px;min-inline-size:56px;block-size:56px;padding:0 14px;border:2px solid transparent;border-radius:28px;background:var(--c);color:var(--ink);font:600 16px system-ui,sans-serif;cursor:pointer;box-shadow:0 2px 12px #0004}
button:focus-visible{outline:2px solid #fff;box-shadow:0 0 0 4px #000}
svg{width:24px;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
b{position:absolute;inset:-4px -4px auto auto!important;min-inline-size:22px;padding:2px;border-radius:11px;background:#b00;color:#fff;font-size:12px}
b:empty,.open span{display:none}
iframe{inset-block-end:calc(var(--gap) + 68px);inline-size:min(var(--runnel-width,400px),100vw - 2*var(--gap));block-size:min(var(--runnel-height,640px),100dvh - 2*var(--gap) - 68px);border:1px solid #8884;border-radius:var(--runnel-radius,16px);box-shadow:0 8px 40px #0004;visibility:hidden}
.open .here{visibility:visible}
[aria-busy=true] svg{opacity:.5}
@media ${NARROW}{iframe{inset:0!important;inline-size:100%;block-size:100dvh;border:0;border-radius:0}.open:has(.here) button,button span{display:none}}
@media print{div{display:none}}`;

  const { site = "", lang = "", color = "", theme = "", side, label = "", testOpenRoot } = script.dataset;
  const { origin } = new URL(script.src);
  const name = label || "Chat";

  const host = document.createElement("runnel-chat");
  const root = host.attachShadow({ mode: testOpenRoot === undefined ? "closed" : "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  root.adoptedStyleSheets = [sheet];
  if (CSS.supports("color", color)) host.style.setProperty("--runnel-color", color);
  const [box, button, words, badge] = ["div", "button", "span", "b"].map((each) => document.createElement(each));
  const [svg, path] = ["svg", "path"].map((each) => document.createElementNS("http://www.w3.org/2000/svg", each));
  box.role = "region";
  box.ariaLabel = name;
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.append(path);
  words.textContent = label;
  button.append(svg, words, badge);
  box.append(button);
  root.append(box);

  /** @type {HTMLIFrameElement | null} */
  let frame = null;
  /** @type {MessagePort | null} */
  let port = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let isOpen = false;
  let takesFocus = false;
  let unread = 0;
  /** @type {string | (() => string | Promise<string>) | null} */
  let identity = null;
  /** @type {(() => void)[]} resolve the promises of `shutdown` */
  const leaving = [];
  const events = new EventTarget();
  /** @type {Record<string, Detail>} events that happen once; later listeners receive them too */
  const past = {};

  /** @param {string} event @param {Detail} [detail] */
  function emit(event, detail = {}) {
    if (/loaded|ready/.test(event)) past[event] = detail;
    events.dispatchEvent(new CustomEvent(event, { detail }));
  }

  /** @param {string} event @param {(detail: Detail) => void} listener @returns {() => void} stops listening */
  function on(event, listener) {
    const hear = (/** @type {Event} */ event) => listener(/** @type {CustomEvent<Detail>} */ (event).detail);
    events.addEventListener(event, hear);
    if (past[event]) listener(past[event]);
    return () => events.removeEventListener(event, hear);
  }

  function update() {
    box.className = `${isOpen ? "open" : ""} ${side === "start" ? "start" : ""}`;
    path.setAttribute("d", isOpen ? DOWN : BUBBLE);
    badge.textContent = unread ? String(unread) : "";
    button.ariaLabel = unread ? `${name} (${unread})` : name;
    button.ariaExpanded = String(isOpen);
    button.ariaBusy = String(isOpen && !port);
  }

  /** @param {number} number */
  function count(number) {
    if (unread !== number) emit("unread", { count: number });
    unread = number;
    update();
  }

  /** @param {string} type @param {object} [more] */
  function tell(type, more) {
    port?.postMessage({ runnel: VERSION, type, ...more });
  }

  function load() {
    if (frame) return;
    frame = document.createElement("iframe");
    frame.title = name;
    frame.allow = "clipboard-write";
    frame.setAttribute("sandbox", SANDBOX);
    frame.src = `${origin}/w/${encodeURIComponent(site)}/?${new URLSearchParams({ lang })}#${new URLSearchParams({ color, theme })}`;
    frame.onload = () => port || expectHello(AFTER_LOAD_MS);
    expectHello(HELLO_MS);
    box.append(frame);
  }

  /** @param {number} ms */
  function expectHello(ms) {
    clearTimeout(timer);
    timer = setTimeout(() => {
      frame?.remove();
      frame = null;
      close();
      leave();
      console.warn("Runnel: is this origin on the site's list?");
      emit("error", { code: "refused" });
    }, ms);
  }

  addEventListener("message", (event) => {
    const parent = frame?.contentWindow;
    if (!parent || event.source !== parent || event.origin !== origin || event.data?.runnel !== VERSION) return;
    clearTimeout(timer);
    const { port1, port2 } = new MessageChannel();
    port = port1;
    port.onmessage = heard;
    parent.postMessage({ runnel: VERSION, type: "port" }, origin, [port2]);
    /** @type {HTMLElement} */ (frame).className = "here";
    if (leaving.length) tell("shutdown");
    introduce();
    update();
    show();
  });

  /** @param {MessageEvent} event */
  function heard({ data: { runnel, type, ...detail } }) {
    if (runnel !== VERSION) return;
    if (type === "close") close();
    if (type === "left") leave();
    if (/ready|message|error/.test(type)) emit(type, detail);
    if (type === "message" && detail.role === "assistant" && !isOpen) count(unread + 1);
  }

  function show() {
    if (!isOpen || !port) return;
    if (takesFocus) frame?.focus();
    tell("shown", { focus: takesFocus });
  }

  /** @param {boolean} [focus] */
  function open(focus) {
    if (isOpen) return;
    load();
    isOpen = true;
    takesFocus = focus !== false;
    remember("1");
    count(0);
    show();
    emit("open");
  }

  function close() {
    if (!isOpen) return;
    const hadFocus = root.activeElement === frame;
    isOpen = false;
    remember("");
    update();
    tell("hidden");
    if (hadFocus) button.focus();
    emit("close");
  }

  const toggle = () => (isOpen ? close() : open());

  /** @param {NonNullable<typeof identity>} jwt a token, or a function that fetches one when needed, because tokens expire */
  function identify(jwt) {
    identity = jwt;
    introduce();
  }

  async function introduce() {
    const jwt = identity;
    if (!port || !jwt) return;
    if (typeof jwt === "string") identity = null; // a token is accepted only once
    tell("identity", { jwt: typeof jwt === "string" ? jwt : await jwt() });
  }

  /** Remove the conversation, so that the next user cannot see it. @returns {Promise<void>} resolves when done */
  function shutdown() {
    identity = null;
    load();
    close();
    count(0);
    tell("shutdown");
    return new Promise((resolve) => leaving.push(resolve));
  }

  function leave() {
    leaving.splice(0).forEach((resolve) => resolve());
  }

  /** Remember whether the chat is open, for the next page. @param {string} [value] @returns {string | null | undefined} */
  function remember(value) {
    try {
      if (value === undefined) return sessionStorage.runnel;
      sessionStorage.runnel = value;
    } catch {
      // Storage is blocked: the next page starts with the button.
    }
  }

  button.onclick = toggle;
  button.onkeydown = ({ key }) => {
    if (key === "Escape") close();
  };
  update();
  document.documentElement.append(host); // outside the body, which some websites replace
  /** The methods that pages can call. @type {{q: {push: (...calls: Call[]) => void}, [method: string]: Function | object}} */
  const api = {
    open: () => open(),
    close,
    toggle,
    identify,
    shutdown,
    on,
    q: { push: (...calls) => calls.forEach(([method, ...args]) => /** @type {Function} */ (api[method])(...args)) },
  };
  page.Runnel = api;
  api.q.push(...(early?.q ?? []));
  emit("loaded");
  if (remember() && !matchMedia(NARROW).matches) open(false);
})();
