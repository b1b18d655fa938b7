/** Which images of a temporary chat a request has, and what a reload leaves of them. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { SafeStorage } from "../../static/js/browser/safe_storage.js";
import { imageLine } from "../../static/js/lib/text_files.js";
import { TabImages, withoutImages } from "../../static/js/models/tab_images.js";
import { TemporaryChatStorage } from "../../static/js/models/temporary_chat_storage.js";
import { TemporaryConversation } from "../../static/js/models/temporary_conversation.js";
import { storage } from "./fake_site.mjs";

const id = (/** @type {number} */ number) => String(number).padStart(32, "0");
const line = (/** @type {number} */ number) => imageLine(`${number}.png`, id(number));
const url = (/** @type {number} */ number) => `data:image/png;base64,${number}`;
const part = (/** @type {number} */ number) => ({ type: "image_url", image_url: { url: url(number) } });

/** Images 1 to `count` of ten bytes each. */
function images(count, maxBytes = 1000) {
  const found = new TabImages(maxBytes);
  for (let number = 1; number <= count; number++) found.add(id(number), { url: url(number), bytes: 10 });
  return found;
}

test("a question has its text and then its images", () => {
  const [content] = images(2).contentsOf([`Which?\n${line(1)}notes.md:\n\`\`\`md\n# One\n\`\`\`\n${line(2)}`]);
  assert.deepEqual(content, [{ type: "text", text: "Which?\nnotes.md:\n```md\n# One\n```" }, part(1), part(2)]);
  assert.deepEqual(images(1).contentsOf([line(1)]), [[part(1)]]);
  assert.deepEqual(images(1).contentsOf(["No image", "Nor here"]), ["No image", "Nor here"]);
});

test("older images are sent as long as they fit, the newest first", () => {
  const questions = [1, 2, 3].map((number) => `Q\n${line(number)}`);
  const text = { type: "text", text: "Q" };
  assert.deepEqual(images(3, 20).contentsOf(questions), ["Q\n[image: 1.png]", [text, part(2)], [text, part(3)]]);
  assert.deepEqual(images(3, 5).contentsOf(questions), ["Q\n[image: 1.png]", "Q\n[image: 2.png]", [text, part(3)]]);
});

test("at most eight older images are sent", () => {
  const questions = Array.from({ length: 10 }, (_, at) => line(at + 1));
  const contents = images(10).contentsOf(questions);
  assert.deepEqual(contents.map((content) => typeof content), ["string", ...Array(9).fill("object")]);
});

test("an image that the tab doesn't have is named", () => {
  const [content] = images(1).contentsOf([`Both?\n${line(1)}${line(2)}`]);
  assert.deepEqual(content, [{ type: "text", text: "Both?\n[image: 2.png]" }, part(1)]);
  assert.deepEqual(images(0).contentsOf([`It?\n${line(1)}`]), ["It?\n[image: 1.png]"]);
});

test("only the images of the message remain when the chat starts over", () => {
  const found = images(2);
  found.keepOnly(`Next?\n${line(2)}`);
  assert.deepEqual([found.find(id(1)), found.find(id(2))?.url], [undefined, url(2)]);
});

test("a text without images stays as it is", () => {
  for (const text of ["", "Hello\n\n", "notes.md:\n```md\n# One\n```\n"]) assert.equal(withoutImages(text), text);
});

test("a reload leaves the names of sent images, and nothing of the draft's", () => {
  const shelf = new SafeStorage("", storage);
  const before = new TemporaryChatStorage(shelf);
  const conversation = new TemporaryConversation();
  const { answer } = conversation.add(`What is it?\n${line(1)}`, "m");
  answer.accept({ generationId: "g" });
  answer.apply({ response: "A river.", state: "complete", length: 8 });
  before.save(conversation);
  before.draft = `And this?\n${line(2)}`;
  const after = new TemporaryChatStorage(shelf);
  assert.deepEqual(after.restore().exchanges.map(({ question }) => question), ["What is it?\n[image: 1.png]"]);
  assert.equal(after.draft, "And this?");
  assert.equal(after.hasLostImages, true);
  const again = new TemporaryChatStorage(shelf);
  again.restore();
  assert.equal(again.hasLostImages, true); // the conversation is saved with its next change
});
