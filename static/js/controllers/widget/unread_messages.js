/**
 * What a person wrote while the chat was closed, also on an earlier page of the website or after the visitor had left it:
 * the button gets a badge, and a preview shows the last message. The text stays in this frame.
 */

import { t } from "../../lib/i18n.js";
import { speakableText } from "../../lib/speakable_text.js";

/** @typedef {import("../../models/answer.js").Answer} Answer */

const SEEN = "seen"; // the last message of a person that was shown

export class UnreadMessages {
  #chat;
  #store;
  #host;
  #tabStorage;
  #sound;
  #preview;
  #unnamed; // what the preview calls a person without a name
  #isShown = false;
  #isLoaded = false; // whether the conversation is
  #isPersonDue = false; // whether a person answers, or has been asked to
  /** @type {boolean | undefined} whether the website was told that news are expected */
  #expects;
  #see;
  #seenTo = 0; // the last message that the server knows to be seen
  #toldTo = 0; // the last message that the visitor was told of

  /**
   * @param {HTMLElement} preview
   * @param {ReturnType<typeof import("./visitor_chat.js").createVisitorChat>} visitorChat
   * @param {import("./host_page.js").HostPage} host
   * @param {import("../../browser/safe_storage.js").SafeStorage} tabStorage
   * @param {import("./message_sound.js").MessageSound} sound
   * @param {(id: string) => void} see tells the server that the visitor has seen the messages of a conversation
   */
  constructor(preview, { chat, store }, host, tabStorage, sound, see) {
    this.#see = see;
    this.#preview = preview;
    this.#chat = chat;
    this.#store = store;
    this.#host = host;
    this.#tabStorage = tabStorage;
    this.#unnamed = preview.querySelector("b")?.textContent ?? "";
    this.#sound = sound;
    const [open, dismiss] = preview.querySelectorAll("button");
    open.addEventListener("click", () => host.tell("open"));
    dismiss.addEventListener("click", () => this.#hide());
  }

  /**
   * Tell the visitor also of messages that arrived while another page was loaded, or none.
   * @param {boolean} isUnread whether the server knows of something unseen, which only matters in a new tab
   */
  resume(isUnread) {
    const seen = this.#tabStorage.read(SEEN);
    if (seen === null) this.#toldTo = isUnread ? this.#newestAnswered : this.#newest;
    else this.#toldTo = Number(seen);
    this.#isLoaded = true;
    this.check(this.#isPersonDue);
  }

  /**
   * Tell the visitor of the messages of persons that came since the last time.
   * @param {boolean} isPersonDue
   */
  check(isPersonDue) {
    this.#isPersonDue = isPersonDue;
    if (!this.#isLoaded) return;
    const told = this.#toldTo;
    this.#toldTo = Math.max(told, this.#newest);
    for (const answer of this.#persons) if (answer.messageId > told) this.#tell(answer);
    if (this.#isShown) this.#markSeen();
    else if (this.#tabStorage.read(SEEN) === null) this.#tabStorage.write(SEEN, String(told));
    this.#expect();
  }

  /** Tell the website whether its next page has to load the closed chat: for what comes, or is still unseen. */
  #expect() {
    const isExpecting = this.#isPersonDue || Number(this.#tabStorage.read(SEEN)) < this.#newest;
    if (isExpecting !== this.#expects) this.#host.tell("expects", { isExpecting });
    this.#expects = isExpecting;
  }

  /** @param {Answer} answer */
  #tell({ text, personName }) {
    this.#host.tell("message", { role: "assistant" });
    this.#chat.status.say(t("Message from a person: {text}", { text: speakableText(text) }));
    this.#sound.announce();
    if (this.#isShown) return;
    const name = this.#preview.querySelector("b");
    if (name) name.textContent = personName || this.#unnamed;
    const words = this.#preview.querySelector("span");
    if (words) words.textContent = speakableText(text);
    this.#preview.hidden = false;
    this.#host.tell("preview");
  }

  /** @param {boolean} isShown whether the chat is open */
  show(isShown) {
    this.#isShown = isShown;
    if (!isShown) return;
    this.#preview.hidden = true;
    this.#markSeen();
    if (this.#isLoaded) this.#expect();
  }

  #hide() {
    this.#preview.hidden = true;
    this.#host.tell("dismiss");
  }

  #markSeen() {
    if (!this.#isLoaded) return;
    this.#tabStorage.write(SEEN, String(this.#toldTo));
    if (!this.#isShown || this.#toldTo <= this.#seenTo) return;
    this.#seenTo = this.#toldTo;
    this.#see(this.#chat.id);
  }

  /** The newest message of a person before the visitor's last question. */
  get #newestAnswered() {
    const { exchanges } = this.#store.conversation;
    const asked = exchanges.findLastIndex(({ question }) => question);
    return newestOf(persons(exchanges.slice(0, Math.max(0, asked))));
  }

  get #newest() {
    return newestOf(this.#persons);
  }

  get #persons() {
    return persons(this.#store.conversation.exchanges);
  }
}

/** @param {{answer: Answer}[]} exchanges */
function persons(exchanges) {
  return exchanges.map(({ answer }) => answer).filter((each) => each.isByPerson);
}

/** @param {Answer[]} answers */
function newestOf(answers) {
  return Math.max(0, ...answers.map(({ messageId }) => messageId));
}
