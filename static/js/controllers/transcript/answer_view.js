/**
 * An answer on the page, updated with its model at most once per frame. Parts that the page's template omits are
 * skipped.
 */

import { FrameScheduler } from "../../browser/frame_scheduler.js";
import { onDemand } from "../../browser/on_demand.js";
import { PlainTextWriter } from "../../browser/plain_text_writer.js";
import { writeText } from "../../browser/write_text.js";
import { formatDuration, formatMoment } from "../../lib/formatting.js";
import { plural, t } from "../../lib/i18n.js";
import { describeOutcome } from "../../models/outcome.js";
import { retryOptions } from "../../models/thinking_retry.js";
import { RatingButtons } from "../feedback/rating_buttons.js";
import { wireCopy } from "../ui/copy_button.js";
import { cloneTemplate, showText } from "../ui/template_parts.js";
import { AnswerMarkdown } from "./answer_markdown.js";
import { findSwitcher } from "./version_switcher.js";

const QUIET_WAIT_SECONDS = 4;
const details = onDemand("answer_details");
const extras = onDemand("answer_extras");

/** @typedef {import("../../models/answer.js").Answer} Answer */
/**
 * Actions on an answer.
 * @typedef {object} Actions
 * @property {(choice: string) => void} choose
 * @property {() => void} retry called before the menu of other attempts opens
 * @property {() => void} more
 * @property {(id: number) => void} version
 * @property {(opinion: import("../../models/answer.js").Opinion) => Promise<boolean>} rate returns whether the rating was stored
 * @property {() => void} report
 * @property {import("../../browser/browser_env.js").BrowserEnv} [env] for decisions about tools
 * @property {() => void} [refresh] checks what other tabs have changed
 */

/**
 * @typedef {import("./version_switcher.js").VersionParts & import("../feedback/rating_buttons.js").RatingParts & {
 *   text: HTMLElement, reasoning: HTMLElement, reasoningTitle: HTMLElement, reasoningText: HTMLElement,
 *   omitted: HTMLElement, progress: HTMLElement, outcome: HTMLElement, outcomeWords: HTMLElement, choices: HTMLElement,
 *   copy: HTMLElement, sources?: HTMLElement, tools?: HTMLElement, person?: HTMLElement, personName?: HTMLElement, personPicture?: HTMLImageElement, fallback?: HTMLElement, about?: HTMLElement,
 *   summary?: HTMLElement, summaryText?: HTMLElement, retry?: HTMLElement, more?: HTMLElement, time?: HTMLElement, model?: HTMLElement, modelName?: HTMLElement,
 * }} AnswerParts
 */

export class AnswerView {
  root;
  #answer;
  #parts;
  #models;
  #text;
  #reasoning;
  #rating;
  #versions;
  #actions;
  #status;
  #scheduler = new FrameScheduler(() => this.#update());
  #clock;

  /**
   * @param {Answer} answer
   * @param {import("../composer/model_picker.js").ModelChoice} models
   * @param {import("../ui/status.js").Status} status
   * @param {Actions} actions
   */
  constructor(answer, models, status, actions) {
    const { root, parts } = /** @type {{root: HTMLElement, parts: AnswerParts}} */ (cloneTemplate("answer-template"));
    this.root = root;
    this.#parts = parts;
    this.#answer = answer;
    this.#models = models;
    this.#actions = actions;
    this.#status = status;
    this.#text = new AnswerMarkdown(parts.text, status);
    this.#reasoning = new Thoughts(parts.reasoningText);
    this.#clock = setInterval(() => this.changed(), 1000);
    this.#rating = new RatingButtons(parts, answer, actions.rate);
    this.#versions = findSwitcher(parts, actions.version);
    if (parts.time) parts.time.textContent = formatMoment(answer.askedAt);
    parts.retry?.addEventListener("click", actions.retry);
    parts.more?.addEventListener("click", actions.more);
    parts.report?.addEventListener("click", actions.report);
    wireCopy(parts.copy, () => answer.text, status, () => this.#text.html);
    parts.text.addEventListener("formatted", () => this.#sources());
    parts.about?.addEventListener("click", async () => (await details())?.showDetails(answer, models));
    parts.choices.addEventListener("click", ({ target }) => {
      const chosen = /** @type {Element} */ (target).closest("button[data-choice]")?.getAttribute("data-choice") ?? "";
      if (chosen === "other-model") actions.retry();
      else if (chosen) actions.choose(chosen);
    });
    this.#update();
  }

  changed() {
    this.#scheduler.schedule();
  }

  /** The versions, or something else that changes after the end, are others now. */
  versionsChanged() {
    this.#versions?.show(this.#answer.versions, this.#answer.messageId);
    this.#summary();
    this.showModel();
    this.#tools();
    this.#followUps();
    this.#outcome();
  }

  #summary() {
    const { summary, summaryText } = this.#parts;
    if (!summary || !summaryText) return;
    summary.hidden = !this.#answer.summary;
    if (summaryText.textContent !== this.#answer.summary) writeText(summaryText, this.#answer.summary);
  }

  /** Name the model that answered, unless it is plain: it is also the chosen one, and there is one answer. */
  showModel() {
    const { isByPerson, model, versions } = this.#answer;
    const { model: line, modelName } = this.#parts;
    if (!line || !modelName) return;
    line.hidden = isByPerson || !model || (versions.length < 2 && model === this.#models.chosen);
    if (!line.hidden) modelName.textContent = this.#models.nameOf(model);
  }

  /** Show the final state; no more updates follow. */
  settle() {
    clearInterval(this.#clock);
    this.#scheduler.cancel();
    this.#update();
  }

  #update() {
    const { text, state, isHidden, messageId, isByPerson } = this.#answer;
    this.#person();
    this.root.dataset.state = state;
    this.root.toggleAttribute("data-text", text !== "");
    this.root.toggleAttribute("data-unsent", this.#answer.isOver && !messageId && !isByPerson);
    this.root.toggleAttribute("data-hidden", isHidden);
    this.#notes();
    this.#thinking();
    this.#text.show(text, this.#answer.isOver);
    showText(this.#parts.progress, this.#progress());
    this.#rating.update();
    this.versionsChanged();
  }

  #person() {
    const { isByPerson, personName, personPicture } = this.#answer;
    const { person, personName: name, personPicture: picture } = this.#parts;
    if (person) person.hidden = !isByPerson;
    if (name && personName) name.textContent = personName;
    if (picture?.hidden && personPicture) {
      picture.src = `pictures/${personPicture}`;
      picture.hidden = false;
    }
  }

  #notes() {
    const { omitted, insteadOf, model } = this.#answer;
    const leftOut = plural(
      omitted,
      "{count} older message was left out because the chat is too long for this model.",
      "{count} older messages were left out because the chat is too long for this model.",
    );
    showText(this.#parts.omitted, omitted ? leftOut : "");
    const names = { asked: this.#models.nameOf(insteadOf), answering: this.#models.nameOf(model) };
    const fallback = t("{asked} isn't available. {answering} is answering instead.", names);
    if (this.#parts.fallback) showText(this.#parts.fallback, insteadOf ? fallback : "");
  }

  #thinking() {
    const { reasoning, reasoningSeconds, isOver, text } = this.#answer;
    this.#parts.reasoning.hidden = !reasoning;
    if (!reasoning) return;
    const isThinking = !isOver && !text;
    const time = formatDuration(isThinking ? this.#answer.thinkingSeconds : (reasoningSeconds ?? 0));
    const thought = reasoningSeconds === null ? t("Reasoning") : t("Thought for {time}", { time });
    const title = isThinking ? t("Thinking… {time}", { time }) : thought;
    showText(this.#parts.reasoningTitle, title);
    this.#reasoning.show(reasoning);
  }

  /** Show what the answer cites, once all of it is formatted. */
  async #sources() {
    const { text, sources: box } = this.#parts;
    const { sources, isHidden } = this.#answer;
    if (box && sources && !isHidden) (await extras())?.showSources(box, text, sources);
  }

  async #tools() {
    const { tools: box } = this.#parts;
    if (box && this.#answer.tools.length) (await extras())?.showTools(box, this.#answer, this.#actions);
  }

  async #followUps() {
    if (this.#answer.followUps.length || this.root.querySelector(".starters")) (await extras())?.showFollowUps(this.root, this.#answer, this.#status);
  }

  #progress() {
    const { state, connectionLost, model, isOver, secondsSinceAsked: seconds } = this.#answer;
    if (isOver) return "";
    if (connectionLost || !navigator.onLine) return t("Connection lost. Reconnecting…");
    if (state !== "waiting") return "";
    const name = this.#models.nameOf(model);
    if (seconds < QUIET_WAIT_SECONDS) return t("Waiting for {name}…", { name });
    return t("Waiting for {name}… {time}", { name, time: formatDuration(seconds) });
  }

  #outcome() {
    const outcome = describeOutcome(this.#answer);
    const { outcome: box, outcomeWords, choices } = this.#parts;
    box.hidden = !outcome;
    if (!outcome) return;
    box.dataset.tone = outcome.tone;
    showText(outcomeWords, outcome.words);
    choices.hidden = !outcome.choices.length;
    for (const button of /** @type {Iterable<HTMLElement>} */ (choices.children)) {
      button.hidden = !outcome.choices.some((choice) => choice === button.dataset.choice && this.#allows(choice));
    }
  }

  /** Return whether the model supports this choice. @param {string} choice */
  #allows(choice) {
    if (choice !== "more-room" && choice !== "less-thinking") return true;
    return retryOptions(choice, this.#answer, this.#models.abilitiesOf(this.#answer.model)) !== null;
  }
}

/**
 * Append reasoning, or rewrite it if it has changed. It stays plain text: models reason in fragments of lists and
 * formulas, and few users expand it.
 */
class Thoughts {
  #shown = "";
  #plain;

  /** @param {Element} element */
  constructor(element) {
    this.#plain = new PlainTextWriter(element);
  }

  /** @param {string} text */
  show(text) {
    if (text.length === this.#shown.length && text === this.#shown) return;
    if (!text.startsWith(this.#shown)) {
      this.#plain.clear();
      this.#shown = "";
    }
    this.#plain.append(text.slice(this.#shown.length));
    this.#shown = text;
  }
}
