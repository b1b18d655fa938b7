/** A scripted server, and a browser environment in which time passes only on request. */

const encoder = new TextEncoder();

export const frame = (id, payload) =>
  `id: ${id}\ndata: ${typeof payload === "string" ? payload : JSON.stringify(payload)}\n\n`;

export const done = (id) => frame(id, "[DONE]");

/** Return a streamed response. With `breaks` it ends in an error, with `hangs` it never ends. */
export function stream(text, { id = "g1", breaks = false, hangs = false, place = {} } = {}) {
  return ({ signal }) => {
    const body = new ReadableStream({
      start(controller) {
        if (text) controller.enqueue(encoder.encode(text));
        signal?.addEventListener("abort", () => controller.error(signal.reason));
        if (hangs) return;
        if (breaks) setTimeout(() => controller.error(new TypeError("network error")), 5);
        else controller.close();
      },
    });
    const headers = { "Content-Type": "text/event-stream", "X-Generation-Id": id, ...place };
    return new Response(body, { headers });
  };
}

export const json = (status, value, headers = {}) => () =>
  new Response(JSON.stringify(value), { status, headers: { "Content-Type": "application/json", ...headers } });

/** Return a stored turn as the server returns it outside streams. */
export const PLACE = { "X-Conversation-Id": "c1", "X-Message-Id": "12", "X-Question-Id": "11" };

export const html = (status) => () =>
  new Response("<h1>Bad gateway</h1>", { status, headers: { "Content-Type": "text/html" } });

export const empty = (status, headers = {}) => () => new Response(null, { status, headers });

export const unreachable = () => {
  throw new TypeError("Failed to fetch");
};

/** @param {Array<(init: RequestInit) => Response>} script one step per stream request, in order */
export function site(script, { cancellation = [] } = {}) {
  const requests = [];
  const sleeps = [];
  const wakers = new Set();
  const presence = fakePresence();
  const env = {
    presence,
    time: 0,
    async fetch(url, init = {}) {
      requests.push({ url, method: init.method ?? "GET", ...init });
      if (url.endsWith("/cancellation")) return (cancellation.shift() ?? json(200, {}))(init);
      const step = script.shift();
      if (!step) throw new Error(`nobody expected ${url}`);
      return step(init);
    },
    now: () => env.time,
    random: () => 1,
    csrfToken: () => "token",
    tab: "this-tab",
    async sleep(ms) {
      sleeps.push(ms);
      env.time += ms;
      return false;
    },
    onWake(callback) {
      wakers.add(callback);
      return () => wakers.delete(callback);
    },
  };
  return { env, requests, sleeps, wake: () => [...wakers].forEach((callback) => callback()), wakers };
}

/** A tab that tests hide and show. */
function fakePresence() {
  const away = new Set();
  const back = new Set();
  return {
    isAway: false,
    onAway(callback) {
      away.add(callback);
      return () => away.delete(callback);
    },
    whenBack() {
      return this.isAway ? new Promise((resolve) => back.add(resolve)) : Promise.resolve();
    },
    leave() {
      this.isAway = true;
      [...away].forEach((callback) => callback());
    },
    come() {
      this.isAway = false;
      [...back].forEach((callback) => callback());
    },
  };
}

export async function collect(payloads) {
  const list = [];
  for await (const payload of payloads) list.push(payload);
  return list;
}

/** A fake of web storage, as far as it is used; `capacity` is in characters. */
export function storage(capacity = Infinity) {
  const items = new Map();
  return {
    items,
    get length() {
      return items.size;
    },
    key: (index) => [...items.keys()][index] ?? null,
    getItem: (key) => items.get(key) ?? null,
    removeItem: (key) => items.delete(key),
    setItem(key, value) {
      if (value.length > capacity) throw new DOMException("full", "QuotaExceededError");
      items.set(key, value);
    },
  };
}
