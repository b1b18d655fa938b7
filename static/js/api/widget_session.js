/**
 * The session of a website's visitor. All URLs are below the site's own; each request carries a bearer token, which
 * exists only in this page's memory. The browser's cookie is exchanged for a new token.
 */

import { Backoff } from "../lib/backoff.js";
import { locale } from "../lib/i18n.js";
import { errorFromResponse, unreachableError } from "./errors.js";
import { isPermanentRefusal, isJson } from "./responses.js";

/**
 * @typedef {object} Session
 * @property {string} token
 * @property {boolean} known whether the website has identified the visitor
 * @property {string} draft_key encrypts what the frame has the website keep
 * @property {{name: string, watches_pages: boolean, consent: {text: string, agreed: boolean}, asks_details: boolean, given_email: string, warnings: {id: number, text: string}[]}} site
 */
/** @typedef {{id: string, title: string, updated_at: string, is_unread: boolean}} ListedConversation */
/**
 * Whether a person is answering, or has been asked to.
 * @typedef {object} PersonStatus
 * @property {boolean} person
 * @property {string} name of the person, if visitors may know it
 * @property {boolean} requested
 * @property {boolean} is_typing whether the person is typing
 * @property {string} ended how the last person left, until the next message
 * @property {number} last the last message
 * @property {string[]} follow_ups questions that are suggested after the last message
 * @property {number} to_rate the period of a person's help that the visitor may rate; 0 if none
 * @property {boolean} is_open whether somebody is there at this hour
 * @property {string | null} opens_at
 * @property {string} email where the visitor wants answers
 */
/** @typedef {import("../types.js").StoredMessage} StoredMessage */
/** @typedef {{name: string, email: string, choice: string}} VisitorDetails */

const PATIENCE_MS = 15_000;
const [language] = locale.split("-"); // the page's language, which may differ from the browser's
const nothing = () => {};
const OURS = /^\/(?:chat\/)?/; // how the chat's URLs start: see urls.js

export class WidgetSession {
  #env;
  #root;
  /** @type {Promise<Session> | null} */
  #session = null;
  #changing = Promise.resolve(); // changes of the visitor, one at a time: see #change
  #solveChallenge;
  #bearer = ""; // the last token, which identifies the visitor if the browser stores no cookie
  draftKey = ""; // of the current visitor; "" if there is no session
  /**
   * A browser environment that sends requests as this visitor.
   * @type {import("../browser/browser_env.js").BrowserEnv}
   */
  env;

  /**
   * @param {import("../browser/browser_env.js").BrowserEnv} env
   * @param {string} root the site's address, "/w/<key>/"
   * @param {() => Promise<string>} [solveChallenge] shows the challenge for new visitors and returns its result, if the site requires one
   */
  constructor(env, root, solveChallenge) {
    this.#env = env;
    this.#solveChallenge = solveChallenge;
    this.#root = root;
    this.env = { ...env, fetch: this.fetch, csrfToken: () => "" };
  }

  /** Return the session; start one if there is none. @returns {Promise<Session>} */
  session() {
    this.#session ??= this.#begin();
    this.#session.catch(() => (this.#session = null));
    return this.#session;
  }

  /** Fetch as the visitor. @type {typeof fetch} */
  fetch = async (url, init) => {
    await this.#changing;
    return this.#send(String(url), init, () => this.#changing);
  };

  /**
   * Send a request; if the bearer token has expired, get another one and retry once.
   * @param {string} url
   * @param {RequestInit} [init]
   * @param {() => Promise<void>} [settled]
   */
  #send = async (url, init, settled) => {
    const session = this.session();
    const response = await this.#withBearer(session, url, init);
    if (!(await hasEnded(response))) return response;
    await settled?.(); // a change that is still running may have ended the token
    if (this.#session === session) this.#session = null;
    return this.#withBearer(this.session(), url, init);
  };

  /** @returns {Promise<ListedConversation[]>} the newest first */
  async conversations() {
    /** @type {{conversations: ListedConversation[]}} */
    const { conversations } = await this.#json("conversations");
    return conversations;
  }

  /**
   * @param {string} id
   * @param {number} [before] a message: only earlier turns are returned
   * @returns {Promise<{turns: StoredMessage[], hasEarlier: boolean}>}
   */
  async conversation(id, before) {
    const place = `conversations/${encodeURIComponent(id)}`;
    /** @type {{turns: StoredMessage[], has_earlier: boolean}} */
    const { turns, has_earlier } = await this.#json(before ? `${place}?before=${before}` : place);
    return { turns, hasEarlier: Boolean(has_earlier) };
  }

  /**
   * Return whether a staff member is answering this conversation.
   * @param {string} id
   * @param {string} [typing] "1" while the visitor is typing to a person, "0" once they have stopped
   * @returns {Promise<PersonStatus>}
   */
  person(id, typing) {
    return this.#json(`conversations/${encodeURIComponent(id)}/person${typing ? `?typing=${typing}` : ""}`);
  }

  /** Ask for a person to answer in this conversation. @param {string} id @returns {Promise<void>} */
  requestPerson(id) {
    return this.#json(`conversations/${encodeURIComponent(id)}/person-request`, {});
  }

  /** Note that the visitor has seen the messages. @param {string} id @returns {Promise<void>} */
  markSeen(id) {
    return this.#json(`conversations/${encodeURIComponent(id)}/seen`, {});
  }

  /** Tell the server of the page around the chat. @param {string} address @param {string} hash @returns {Promise<void>} */
  reportPage(address, hash) {
    return this.#json("page", { address, hash });
  }

  /** Have a person's answers mailed to this address; "" ends it. @param {string} id @param {string} email @returns {Promise<void>} */
  leaveEmail(id, email) {
    return this.#json(`conversations/${encodeURIComponent(id)}/email`, { email });
  }

  /** @param {string} id @param {string} email @returns {Promise<void>} */
  mailTranscript(id, email) {
    return this.#json(`conversations/${encodeURIComponent(id)}/transcript`, { email });
  }

  /** @param {string} id @param {{takeover: number, value: number, comment: string}} rating @returns {Promise<void>} */
  rateHelp(id, rating) {
    return this.#json(`conversations/${encodeURIComponent(id)}/help-rating`, rating);
  }

  /** Store what the visitor entered into the site's form. @param {VisitorDetails} details @returns {Promise<void>} */
  giveDetails(details) {
    return this.#json("details", details);
  }

  /** Record the visitor's consent to the site's terms. @returns {Promise<void>} */
  agree() {
    return this.#json("consent", {});
  }

  /** Mark a staff warning as read. @param {number} id @returns {Promise<void>} */
  readWarning(id) {
    return this.#json(`warnings/${id}`, {});
  }

  /**
   * Identify the visitor as a user of the website, who then owns their chats.
   * @param {string} jwt
   * @returns {Promise<Session>}
   */
  identify(jwt) {
    return this.#change("identity", { jwt }, (/** @type {Session} */ session) => {
      this.#session = Promise.resolve(this.#keep(session));
      return session;
    });
  }

  /** End the session, so that the browser's next user starts a new one. */
  end() {
    return this.#change("shutdown", {}, () => {
      this.#session = null;
      this.#bearer = "";
    });
  }

  /**
   * Change the session, one change at a time; other requests wait, because the old bearer token ends with it.
   * @template Json, Result
   * @param {string} path
   * @param {object} body
   * @param {(answer: Json) => Result} then
   * @returns {Promise<Result>}
   */
  #change(path, body, then) {
    const change = this.#changing.then(async () => then(await this.#json(path, body, this.#send)));
    this.#changing = change.then(nothing, nothing);
    return change;
  }

  async #begin() {
    const backoff = new Backoff({ firstMs: 500, patienceMs: PATIENCE_MS, random: this.#env.random });
    let challenge = "";
    for (;;) {
      const response = await this.#come(challenge);
      if (response?.ok && isJson(response)) return this.#keep(await response.json());
      const error = response ? await errorFromResponse(response) : unreachableError();
      if (error.code === "challenge_required" && this.#solveChallenge && !challenge) {
        challenge = await this.#solveChallenge();
        continue;
      }
      const wait = response && isPermanentRefusal(response) ? null : backoff.next();
      if (wait === null) throw error;
      await this.#env.sleep(wait);
    }
  }

  /** @param {string} challenge */
  #come(challenge) {
    const headers = {
      Accept: "application/json",
      "Accept-Language": language,
      "Content-Type": "application/json",
      ...(this.#bearer && { Authorization: `Bearer ${this.#bearer}` }),
    };
    const body = JSON.stringify(challenge ? { challenge } : {});
    return this.#env
      .fetch(`${this.#root}session`, { method: "POST", headers, body, cache: "no-store" })
      .catch(() => null);
  }

  /** @param {Session} session */
  #keep(session) {
    this.#bearer = session.token;
    this.draftKey = session.draft_key ?? "";
    return session;
  }

  /**
   * @template Json what the site answers; null where that is nothing
   * @param {string} path
   * @param {object} [body]
   * @param {(url: string, init: RequestInit) => Promise<Response>} [send]
   * @returns {Promise<Json>}
   */
  async #json(path, body, send = this.fetch) {
    const headers = { Accept: "application/json", ...(body && { "Content-Type": "application/json" }) };
    const request = body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers };
    const response = await send(`/${path}`, { ...request, cache: "no-store" }).catch(() => null);
    if (!response) throw unreachableError();
    if (!response.ok) throw await errorFromResponse(response);
    const answer = response.status === 204 ? null : await response.json();
    return answer;
  }

  /** @param {Promise<Session>} session @param {string} url @param {RequestInit} [init] */
  async #withBearer(session, url, init) {
    const headers = new Headers(init?.headers);
    headers.delete("X-CSRFToken"); // cookies are not read below /w/
    headers.set("Accept-Language", language);
    headers.set("Authorization", `Bearer ${(await session).token}`);
    return this.#env.fetch(url.replace(OURS, this.#root), { ...init, headers });
  }
}

/** @param {Response} response */
async function hasEnded(response) {
  if (response.status !== 401 || !isJson(response)) return false;
  return (await errorFromResponse(response.clone())).code === "token_expired";
}
