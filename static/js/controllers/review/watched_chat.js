/**
 * Update a chat on a staff page: running answers, new turns, and a message box for the staff member who has taken over.
 * Text that could not be sent is kept.
 */

import { ApiError } from "../../api/errors.js";
import { needsSignInOrReason, fetchLiveUpdates, requestSuggestion, submitReviewForm, watcherEnv } from "../../api/staff_review.js";
import { Poller } from "../../browser/poller.js";
import { isSendKey } from "../../browser/send_key.js";
import { TypingSignal } from "../../browser/typing_signal.js";
import { writeText } from "../../browser/write_text.js";
import { t } from "../../lib/i18n.js";
import { newIdempotencyKey } from "../../lib/idempotency_key.js";
import { splitFiles } from "../../lib/text_files.js";
import { prepareToWrite } from "../transcript/answer_markdown.js";
import { cloneTemplate, partsIn, showText } from "../ui/template_parts.js";
import { wireCannedReplies } from "./canned_replies.js";
import { HandledChat } from "./handled_chat.js";
import { ReplySuggestion } from "./reply_suggestion.js";
import { TakeoverDraft } from "./takeover_draft.js";
import { WatchedAnswer } from "./watched_answer.js";

/** @typedef {import("../../api/staff_review.js").WatchedMessage} WatchedTurn */
/** @typedef {import("../../api/staff_review.js").LiveUpdates} LiveUpdates */
/** @typedef {import("../../api/staff_review.js").Holder} Holder */
/** @typedef {{hint: HTMLElement, elsewhere: HTMLElement, stop: HTMLElement, say?: HTMLFormElement, takeOver?: HTMLElement, other?: HTMLElement, typing?: HTMLElement, unsent?: HTMLElement, canned?: HTMLSelectElement, suggest?: HTMLButtonElement} & import("./reply_suggestion.js").SuggestionParts} WatchedParts */

const OWN_MS = 2000;
const OTHER_MS = 4000;

export class WatchedChat {
  #parts;
  #thread;
  #status;
  #place;
  #last;
  #holder;
  #draft;
  #handled;
  /** @type {TypingSignal | undefined} */
  #typing;
  #news = ""; // about who answers, until the next change
  #running = 0;
  #waits = false; // paused until the user has signed in or given a reason in another tab
  #poller;
  #env;

  /**
   * @param {HTMLElement} root the element for updates, below the turns
   * @param {HTMLElement} thread
   * @param {Pick<import("../ui/status.js").Status, "hint">} status
   */
  constructor(root, thread, status) {
    this.#parts = /** @type {WatchedParts} */ (partsIn(root));
    this.#thread = thread;
    this.#status = status;
    this.#place = root.dataset.place ?? "";
    this.#last = Number(root.dataset.last);
    this.#holder = /** @type {Holder} */ (root.dataset.holder ?? "");
    const handled = document.getElementById("handling"); // in an inbox
    this.#handled = handled && new HandledChat(handled);
    this.#env = watcherEnv(this.#place);
    const isOwn = () => this.#holder === "own"; // polling also shows that they are present
    const everyMs = () => (isOwn() ? OWN_MS : OTHER_MS);
    this.#poller = new Poller(() => this.#poll(), () => (this.#waits ? 0 : everyMs()), isOwn);
    this.#draft = this.#wireForm(this.#parts.say);
    this.#draft?.show(isOwn());
    this.#takeUp(/** @type {NodeListOf<HTMLElement>} */ (thread.querySelectorAll("[data-generation]")));
  }

  /** Follow answers that were running when the page was rendered. @param {NodeListOf<HTMLElement>} shown */
  async #takeUp(shown) {
    for (const old of shown) {
      const id = Number(old.id.slice(1));
      const turn = await this.#turn(id).catch(() => null);
      if (turn) this.#follow(turn, (root) => old.replaceWith(root));
    }
  }

  async #poll() {
    try {
      const updates = await fetchLiveUpdates(this.#place, this.#last, this.#typing?.next());
      this.#await(false);
      for (const turn of updates.turns) this.#add(turn);
      if (updates.is_elsewhere) return this.#end(t("Another branch is in use now. Reload the page."));
      this.#showHolder(updates);
      if (updates.handling) this.#handled?.show(updates.handling);
      showText(this.#parts.hint, this.#news);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 404 || !error.message) this.#end(t("This page no longer updates. Reload it."));
      else this.#tell(error);
    }
  }

  /** @param {ApiError} error */
  #tell(error) {
    this.#await(needsSignInOrReason(error));
    showText(this.#parts.hint, error.message);
  }

  /** @param {boolean} isAsked whether the user must first sign in or give a reason, in another tab */
  #await(isAsked) {
    this.#waits = isAsked;
    this.#parts.elsewhere.hidden = !isAsked;
  }

  /** Show who answers now, and what the staff member may do. @param {LiveUpdates} updates */
  #showHolder({ holder, who, can_be_taken_over: canBeTaken, is_visitor_typing: isTyping }) {
    const { say, other, takeOver, typing } = this.#parts;
    if (!say || !other || !takeOver || !typing) return;
    typing.hidden = !isTyping;
    const before = this.#holder;
    this.#holder = holder;
    say.hidden = holder !== "own";
    other.hidden = holder !== "other";
    takeOver.hidden = holder !== "" || !canBeTaken;
    showText(/** @type {HTMLElement} */ (other.querySelector("bdi")), who);
    this.#draft?.show(holder === "own");
    if (holder !== before) this.#news = changeInWords(before, holder, who);
  }

  /** @param {string} words */
  #end(words) {
    this.#poller.stop();
    showText(this.#parts.hint, words);
  }

  /** @param {WatchedTurn} turn */
  #add(turn) {
    if (turn.id <= this.#last) return;
    this.#last = turn.id;
    if (turn.role === "assistant") this.#follow(turn, (root) => this.#thread.append(root));
    else this.#thread.append(question(turn, this.#place));
  }

  /** @param {WatchedTurn} turn @param {(root: HTMLElement) => void} place */
  async #follow(turn, place) {
    const answer = new WatchedAnswer(turn, this.#status);
    place(answer.root);
    if (turn.state !== "running") return;
    this.#count(1);
    prepareToWrite();
    await answer.follow(this.#env, () => this.#turn(turn.id));
    this.#count(-1);
  }

  /** Load a turn as it is stored now. @param {number} id */
  async #turn(id) {
    const { turns } = await fetchLiveUpdates(this.#place, this.#before(id));
    const turn = turns.find((each) => each.id === id);
    if (!turn) throw new ApiError("deleted", t("This message no longer exists."));
    return turn;
  }

  /** Return the ID of the turn before a turn on the page; 0 for none. @param {number} id */
  #before(id) {
    const before = document.getElementById(`m${id}`)?.previousElementSibling;
    return Number(before?.id.slice(1)) || 0;
  }

  /** @param {number} by */
  #count(by) {
    this.#running += by;
    this.#parts.stop.hidden = !this.#running;
  }

  /** Return what keeps the draft, if there is a form. @param {HTMLFormElement} [form] */
  #wireForm(form) {
    if (!form) return;
    const field = /** @type {HTMLTextAreaElement} */ (form.elements.namedItem("text"));
    const draft = new TakeoverDraft(this.#place, field, this.#parts.unsent);
    this.#typing = new TypingSignal(field, () => this.#poller.poll());
    const key = /** @type {HTMLInputElement} */ (form.elements.namedItem("key"));
    wireCannedReplies(this.#parts.canned, field);
    const { suggest } = this.#parts;
    const suggestion = suggest && new ReplySuggestion(suggest, this.#parts, field, () => requestSuggestion(form, this.#place));
    let isSending = false;
    form.addEventListener("submit", async (event) => {
      const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
      if (button?.hasAttribute("formaction")) return draft.sent(); // the server keeps it
      event.preventDefault();
      if (isSending) return;
      isSending = true;
      const text = field.value;
      try {
        await submitReviewForm(form);
        key.value = newIdempotencyKey();
        if (field.value.startsWith(text)) {
          field.value = field.value.slice(text.length).trimStart(); // what was added meanwhile
          if (field.value) field.dispatchEvent(new InputEvent("input", { bubbles: true }));
          else {
            draft.sent();
            suggestion?.clear();
          }
        }
        await this.#poller.poll();
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        this.#tell(error);
      } finally {
        isSending = false;
      }
    });
    field.addEventListener("keydown", (event) => {
      if (!isSendKey(event)) return;
      event.preventDefault();
      if (field.value.trim()) form.requestSubmit();
    });
    return draft;
  }
}

/** @param {Holder} before @param {Holder} now @param {string} who */
function changeInWords(before, now, who) {
  if (now === "own") return t("You're now answering in this chat.");
  if (before === "own") return t("You're no longer handling this chat. Your draft is saved.");
  if (now === "other") return t("{name} has taken over this chat.", { name: who });
  return t("The AI is answering again.");
}

/** @param {WatchedTurn} turn @param {string} place the chat's address */
function question(turn, place) {
  const { root, parts } = cloneTemplate("live-question");
  root.id = `m${turn.id}`;
  const { text, files } = splitFiles(turn.text);
  writeText(parts.text, text + files.map(({ block, image, original }) => (image ? "" : block.replace(` file:${original}\n`, "\n"))).join(""));
  parts.text.after(...files.filter(({ image, original }) => image || original).map((file) => fileLink(file, place)));
  parts.moment.textContent = turn.moment;
  parts.byEmail.hidden = !turn.is_by_email;
  const address = turn.page_context?.find(([name]) => name === "address")?.[1] ?? "";
  parts.page.hidden = !address;
  parts.address.textContent = address;
  return root;
}

/** A link to what a question has: loaded only on request, because that is recorded. @param {import("../../lib/text_files.js").AttachedFile} file @param {string} place */
function fileLink({ name, image, original }, place) {
  const line = document.createElement("p");
  const link = document.createElement("a");
  link.textContent = image ? t("Open the image {name}", { name }) : t("Download the file {name}", { name });
  link.href = image ? `${place}images/${image}` : `${place}files/${original}`;
  if (image) Object.assign(link, { target: "_blank", rel: "noopener" });
  else link.download = "";
  line.append(link);
  return line;
}
