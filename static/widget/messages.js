/**
 * Show the messages that a site's owner has written, beside the button of a closed chat. The server adds this to the
 * site's look if there are any; so they cost no request. Nothing is stored, or shown, before the consent that the owner
 * asks for.
 */

/**
 * @typedef {object} Message
 * @property {string} id
 * @property {string} text
 * @property {string} [path] a pattern, in which * stands for any characters
 * @property {number} [seconds] on the page, while it is visible
 * @property {number} [scrolled] percent of the page
 * @property {boolean} [returning] only to visitors who were here before
 */
/**
 * What the server says of a site's look.
 * @typedef {object} Look
 * @property {Message[]} messages the first one that applies is shown
 * @property {string} dismiss the label of a button
 * @property {string} scheme
 * @property {boolean} consent whether visitors have to agree to something first
 * @property {boolean} isDraft whether the owner tries them: they are shown every time
 */

const TICK_MS = 1000;
/** Names in the website's storage. panel.js writes the first. */
const AGREED = "runnel-agreed";
const DISMISSED = "runnel-dismissed";
const VISIT = "runnel-visit";
const STYLE = `
section{position:fixed;inset-inline-end:var(--gap);inset-block-end:calc(var(--gap) + 68px);display:flex;align-items:start;inline-size:max-content;max-inline-size:min(320px,100vw - 2*var(--gap));border:1px solid #8886;border-radius:16px;background:light-dark(#fff,#22272b);color:light-dark(#161817,#f2f4f5);box-shadow:0 4px 24px #0004;font:16px/1.4 system-ui,sans-serif}
section button{all:unset;box-sizing:border-box;padding:14px 16px;cursor:pointer;overflow-wrap:anywhere;max-block-size:min(180px,100vh - 120px - 2*var(--gap));overflow:hidden;border-radius:15px}
section button:last-child{flex:none;inline-size:44px;block-size:44px;padding:0;text-align:center;font-size:22px;line-height:44px}
section button:focus-visible{outline:2px solid currentColor;outline-offset:-3px}
section:empty,.open section{display:none}`;

/**
 * @param {import("./panel.js").Widget & {stop?: () => void}} widget `stop` ends what was started in another language
 * @param {Look} look
 */
export function start(widget, look) {
  const { button, box, root } = widget;
  const page = /** @type {Window & {Runnel?: {on: (event: string, hear: () => void) => () => void}}} */ (window);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  const bubble = document.createElement("section");
  bubble.role = "status";
  bubble.style.colorScheme = look.scheme;
  box.append(bubble);
  const dismissed = new Set(look.isDraft ? [] : (read(DISMISSED) ?? "").split(" "));
  /** @type {string | undefined} */
  let path;
  let seconds = 0;
  let deepest = 0;

  const timer = setInterval(tick, TICK_MS);
  const quiet = page.Runnel?.on("open", () => bubble.replaceChildren());
  widget.stop?.();
  widget.stop = () => {
    clearInterval(timer);
    quiet?.();
    bubble.remove();
    root.adoptedStyleSheets = root.adoptedStyleSheets.filter((each) => each !== sheet);
  };

  function tick() {
    if (!page.Runnel || widget.isInline) return widget.stop?.();
    if (document.hidden || widget.isOpen || button.hidden || !root.host.isConnected) return;
    if (!look.isDraft && (widget.remember() !== undefined || (look.consent && !read(AGREED)))) return;
    if (location.pathname !== path) {
      path = location.pathname;
      seconds = deepest = 0;
      bubble.replaceChildren();
    }
    seconds++;
    deepest = Math.max(deepest, scrolledPercent());
    if (bubble.firstChild) return;
    const isReturning = comesBack(look.messages);
    const found = look.messages.find(
      (each) =>
        !dismissed.has(each.id) &&
        isMatch(each.path, location.pathname) &&
        seconds >= (each.seconds ?? 0) &&
        deepest >= (each.scrolled ?? 0) &&
        (!each.returning || isReturning),
    );
    if (found) show(found);
  }

  /** @param {Message} message */
  function show({ id, text }) {
    const [open, close] = ["button", "button"].map((each) => document.createElement(each));
    open.textContent = text;
    open.dir = "auto";
    close.textContent = "×";
    close.ariaLabel = look.dismiss;
    open.onclick = () => {
      dismiss(id);
      widget.calls.push(["greet", id]);
      widget.open();
    };
    close.onclick = () => {
      dismiss(id);
      button.focus();
    };
    bubble.onkeydown = ({ key }) => key === "Escape" && close.click();
    bubble.replaceChildren(open, close);
  }

  /** Show nothing else on this page, and this message never again. @param {string} id */
  function dismiss(id) {
    dismissed.add(id);
    if (!look.isDraft) write(DISMISSED, [...dismissed].slice(-50).join(" ").trim());
    bubble.replaceChildren();
    clearInterval(timer);
  }
}

/** Return whether the visitor was here before this tab was opened. Remembered only if a message depends on it. */
function comesBack(/** @type {Message[]} */ messages) {
  if (!messages.some((each) => each.returning)) return false;
  const visit = read(VISIT, "sessionStorage") ?? (read(VISIT) ? "again" : "first");
  write(VISIT, visit, "sessionStorage");
  write(VISIT, "1");
  return visit === "again";
}

function scrolledPercent() {
  const { scrollHeight, clientHeight, scrollTop } = document.scrollingElement ?? document.documentElement;
  const room = scrollHeight - clientHeight;
  return room > 0 ? (100 * scrollTop) / room : 100;
}

/** @param {string | undefined} pattern @param {string} path */
function isMatch(pattern, path) {
  if (!pattern) return true;
  const parts = pattern.split(/\*+/).map((each) => each.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`).test(path);
}

/** @typedef {"localStorage" | "sessionStorage"} Place */

/** @param {string} name @param {Place} [place] @returns {string | null} */
function read(name, place = "localStorage") {
  try {
    return window[place].getItem(name);
  } catch {
    return null; // blocked
  }
}

/** @param {string} name @param {string} value @param {Place} [place] */
function write(name, value, place = "localStorage") {
  try {
    window[place].setItem(name, value);
  } catch {
    // Blocked or full: remembered on this page only.
  }
}
