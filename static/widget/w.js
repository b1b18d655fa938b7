/**
 * The script that a website includes. It shows a button; everything else is in panel.js, which is loaded for its first use.
 * The API of both is in docs/widget.md.
 */
(() => {
  /** @typedef {import("./panel.js").Panel} Panel */
  /** @typedef {Record<string, unknown>} Detail */
  /** @typedef {[method: string, ...args: unknown[]]} Call what a page asked for before this script was there */
  // A module has no current script.
  const script = /** @type {HTMLScriptElement | null} */ (
    document.currentScript ?? document.querySelector('script[data-site][src*="/w.js"]')
  );
  const page = /** @type {Window & {Runnel?: object}} */ (window);
  const early = /** @type {{open?: unknown, q?: Call[]} | undefined} */ (page.Runnel);
  if (!script || early?.open) return; // a page with two tags still has one chat

  const STYLE = `
:host{all:initial!important}
*{box-sizing:border-box}
div{all:unset;--c:var(--runnel-color,#0b5560);--gap:var(--runnel-gap,20px);--ink:#fff}
@supports(color:lch(from red l c h)){div{--ink:lch(from var(--c) calc((49.4 - l)*99) 0 0)}}
button,p,iframe{position:fixed;inset-inline-end:var(--gap);inset-block-end:var(--gap)}
.start>*{inset-inline:var(--gap) auto}
button{z-index:1;display:flex;place-items:center;place-content:center;gap:8px;min-inline-size:56px;block-size:56px;padding:0 14px;border:2px solid #0000;border-radius:28px;background:var(--c);color:var(--ink);font:600 16px system-ui;cursor:pointer;box-shadow:0 2px 12px #0004}
button:focus-visible{outline:2px solid #fff;box-shadow:0 0 0 4px #000}
svg{width:24px;height:24px;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
p{inset-block-end:calc(var(--gap) + 68px);max-inline-size:calc(100% - 2*var(--gap));margin:0;padding:12px 16px;border-radius:12px;background:#222;color:#fff;font:16px/1.4 system-ui}
b:empty,p:empty,span:empty,.open span,.inline button,[hidden]{display:none}
@media print{div{display:none}}`;

  const { dataset } = script;
  const { origin, searchParams } = new URL(script.src);
  // Tag managers drop the attributes of a tag, but not the query of its address.
  if (!(dataset.site ||= /** @type {string} */ (searchParams.get("site")))) return console.warn("Runnel: no data-site");
  /** What the site's owner has chosen; the attributes of the tag come first. Its texts are for the visitor. */
  const look = /** @type {Record<string, string>} */ ({ side: "", path: "" });

  const [host, box, button, words, badge, failure] = ["runnel-chat", "div", "button", "span", "b", "p"].map((each) =>
    document.createElement(each),
  );
  const root = host.attachShadow({ mode: "testOpenRoot" in dataset ? "open" : "closed" });
  const sheet = new CSSStyleSheet();
  root.adoptedStyleSheets = [sheet];
  const [svg, path] = ["svg", "path"].map((each) => document.createElementNS("http://www.w3.org/2000/svg", each));
  box.role = "region";
  failure.role = "alert";
  failure.dir = "auto";
  svg.append(path);
  button.append(svg, words, badge);
  box.append(button, failure);
  root.append(box);

  /** @type {Promise<Panel | undefined> | undefined} */
  let loading;
  let tries = 0;
  const events = new EventTarget();
  /** @type {Record<string, Detail>} events that happen once; later listeners receive them too */
  const past = {};

  /** What both files share. */
  const widget = {
    origin,
    name: "Chat",
    root,
    box,
    button,
    data: dataset,
    // The chat fills a window that is narrow or low, such as a phone's on its side, or a page at 400 %.
    small: matchMedia("(max-width:480px),(max-height:480px)"),
    isInline: false,
    isOpen: false,
    isReady: false,
    takesFocus: false,
    unread: 0,
    /** @type {string | (() => string | Promise<string>) | null} */
    identity: null,
    /** @type {[type: string, value: string][]} what the frame is told once it is there */
    calls: [],
    open,

    /** @param {string} event @param {Detail} [detail] */
    emit(event, detail = {}) {
      if (/loaded|ready/.test(event)) past[event] = detail;
      events.dispatchEvent(new CustomEvent(event, { detail }));
    },

    update() {
      const { isOpen, isReady, isInline, unread, name } = widget;
      box.className = `${isOpen ? "open" : ""} ${isInline ? "inline" : look.side}`;
      box.ariaLabel = name;
      path.setAttribute("d", isOpen ? "m6 9.5 6 6 6-6" : look.path);
      words.textContent = look.label;
      badge.textContent = `${unread || ""}`;
      button.ariaLabel = unread ? `${name} (${unread})` : name;
      button.ariaExpanded = `${isOpen}`;
      button.ariaBusy = `${isOpen && !isReady}`;
    },

    /**
     * Remember for the tab's next page that the chat is open ("1"), or expects news ("2"). Other tabs, and later visits,
     * expect news until a time that panel.js sets while a person is to answer.
     * @param {string} [value]
     * @returns {string | null | undefined}
     */
    remember(value) {
      try {
        if (value !== undefined) sessionStorage.runnel = value;
        return sessionStorage.runnel || (+localStorage.runnel > Date.now() ? "2" : sessionStorage.runnel);
      } catch {
        // Storage is blocked: the next page starts with the button.
      }
    },

    /** @param {number} number */
    count(number) {
      if (widget.unread !== number) widget.emit("unread", { count: number });
      widget.unread = number;
      widget.update();
    },

    close() {
      if (!widget.isOpen) return;
      widget.isOpen = false;
      widget.remember("");
      widget.update();
      ask("hide");
      widget.emit("close");
    },

    /** Close the chat, which does not appear, and tell the visitor. @param {"unreachable" | "refused"} code */
    fail(code) {
      if (widget.isOpen) failure.textContent = look[code];
      loading = undefined;
      tries++;
      widget.close();
      console.warn(`Runnel: ${code}`);
      widget.emit("error", { code });
    },
  };

  /** Each try after a failure has its own URL, as browsers may remember the failure. */
  const fetchPanel = () => import(`${origin}/w-panel.js?${tries}`);

  /** Load the rest, once. */
  const load = () =>
    (loading ??= fetchPanel().then(
      ({ createPanel }) =>
        dressed.then(
          () => createPanel(widget),
          () => widget.fail("refused"),
        ),
      () => widget.fail("unreachable"),
    ));

  /**
   * Have the panel do something, once it is there. Without `loaded`, only if it is being loaded.
   * @param {"destroy" | "hide" | "introduce" | "prepare" | "reload" | "show" | "shutdown" | "tellAll" | "watch"} method
   */
  const ask = (method, loaded = loading) => loaded?.then((panel) => panel?.[method]());

  /** Take on the look that the site's owner has chosen. */
  async function dress() {
    const chosen = await import(`${origin}/w/${dataset.site}/look.js?${new URLSearchParams(/** @type {Record<string, string>} */ (dataset))}`);
    Object.assign(look, chosen.default, dataset);
    sheet.replaceSync(STYLE + look.css);
    host.style.setProperty("--runnel-color", CSS.supports("color", look.color) ? look.color : null);
    widget.name = look.label || "Chat";
    widget.update();
    chosen.start?.(widget, chosen.default);
  }

  /**
   * Add the chat to the page: in one of its elements, or above everything, outside the body that some pages replace.
   * Again, if the page has replaced all of its document, which may also have removed every listener in it.
   */
  function attach() {
    if (page.Runnel !== api || host.isConnected || !document.documentElement) return;
    const place = look.inline && document.querySelector(look.inline);
    widget.isInline = Boolean(place);
    box.popover = place ? null : "manual";
    (place || document.documentElement).append(host);
    if (!place) box.showPopover();
    for (const each of [document, document.documentElement]) observer.observe(each, { childList: true });
    button.onclick = toggle;
    // A visitor who points at the button is about to click it.
    button.onpointerenter = button.onfocus = () =>
      fetchPanel().then(
        () => ask("prepare", load()),
        () => tries++,
      );
    ask("reload");
  }
  const observer = new MutationObserver(attach);

  async function appear() {
    await dressed;
    // A framework that takes over the document that its server sent must not find in it what the server didn't send.
    if (document.readyState !== "complete") await new Promise((resolve) => addEventListener("load", resolve));
    attach();
    if (!host.isConnected) return;
    widget.update();
    widget.emit("loaded");
    const left = widget.remember();
    if (widget.isInline || (left === "1" && !widget.small.matches)) open(false);
    else if (left === "2") ask("watch", load());
  }

  /** @param {string} event @param {(detail: Detail) => void} listener @returns {() => void} stops listening */
  function on(event, listener) {
    const hear = (/** @type {Event} */ event) => listener(/** @type {CustomEvent<Detail>} */ (event).detail);
    events.addEventListener(event, hear);
    if (past[event]) listener(past[event]);
    return () => events.removeEventListener(event, hear);
  }

  /** @param {boolean} [focus] */
  function open(focus) {
    if (widget.isOpen) return;
    failure.textContent = "";
    widget.isOpen = true;
    widget.takesFocus = focus !== false;
    widget.remember("1");
    widget.count(0);
    widget.emit("open");
    ask("show", load());
  }

  const close = () => widget.isInline || widget.close();
  const toggle = () => (widget.isOpen ? close() : open());

  /** Tell the frame something as soon as it is there. @param {string} type @param {string} value @param {boolean} [opens] */
  function tell(type, value, opens) {
    widget.calls.push([type, value]);
    if (opens) open();
    ask("tellAll");
  }

  /** The methods that pages can call. @type {{q: {push: (...calls: Call[]) => void}, [method: string]: Function | object}} */
  const api = {
    open: () => open(),
    close,
    toggle,
    on,
    hideLauncher: (isHidden = true) => (button.hidden = isHidden),
    /** @param {string} text */
    send: (text) => tell("send", text, true),
    /** @param {string} text */
    prefill: (text) => tell("prefill", text, true),
    /** @param {{page?: object, user?: object}} context what the model may know of the page and the user */
    setContext: (context) => tell("context", JSON.stringify(context)),
    /** @param {string} lang */
    setLanguage(lang) {
      dataset.lang = lang;
      dress();
      ask("reload");
    },
    /** @param {NonNullable<typeof widget.identity>} jwt a token, or a function that fetches one when needed, because tokens expire */
    identify(jwt) {
      widget.identity = jwt;
      ask("introduce");
    },
    /** Remove the conversation, so that the next user cannot see it. @returns {Promise<void>} resolves when done */
    async shutdown() {
      widget.identity = null;
      close();
      widget.count(0);
      await ask("shutdown", load());
    },
    async destroy() {
      widget.close();
      host.remove();
      delete page.Runnel;
      await ask("destroy");
    },
    q: {
      push: (...calls) =>
        calls.forEach(([method, ...args]) => {
          const call = api[method];
          if (call instanceof Function) call(...args);
          else console.warn(`Runnel: there is no ${method}()`);
        }),
    },
  };
  page.Runnel = api;
  api.q.push(...(early?.q ?? []));
  const dressed = dress();
  appear().catch(() => console.warn("Runnel: website not listed"));
})();
