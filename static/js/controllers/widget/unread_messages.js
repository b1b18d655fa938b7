/**
 * What a person wrote while the chat was closed, also on an earlier page of the website: the button gets a badge, and a
 * preview shows the last message. The text stays in this frame.
 */

import { t } from "../../lib/i18n.js";
import { speakableText } from "../../lib/speakable_text.js";

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

  /** Tell the visitor also of messages that arrived while another page was loaded. */
  resume() {
    const seen = this.#tabStorage.read(SEEN);
    this.#toldTo = seen === null ? this.#newest : Number(seen);
    this.#isLoaded = true;
    this.check();
  }

  /** Tell the visitor of the messages of persons that came since the last time. */
  check() {
    if (!this.#isLoaded) return;
    const told = this.#toldTo;
    this.#toldTo = Math.max(told, this.#newest);
    for (const answer of this.#persons) if (answer.messageId > told) this.#tell(answer);
    if (this.#isShown || this.#tabStorage.read(SEEN) === null) this.#markSeen();
  }

  /** @param {import("../../models/answer.js").Answer} answer */
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

  get #newest() {
    return Math.max(0, ...this.#persons.map(({ messageId }) => messageId));
  }

  get #persons() {
    return this.#store.conversation.exchanges.map(({ answer }) => answer).filter((each) => each.isByPerson);
  }
}
