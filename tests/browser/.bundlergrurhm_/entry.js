import { ask as ask0 } from "./fetch.js";
import { ask as ask1 } from "./event-source.js";
import { ask as ask2 } from "./event-source-polyfill.js";
import { ask as ask3 } from "./eventsource-parser.js";
import { ask as ask4 } from "./fetch-event-source.js";
import { ask as ask5 } from "./openai.js";
const clients = { "fetch": ask0, "event-source": ask1, "event-source-polyfill": ask2, "eventsource-parser": ask3, "fetch-event-source": ask4, "openai": ask5 };
const messages = { "fetch": true, "event-source": false, "event-source-polyfill": false, "eventsource-parser": true, "fetch-event-source": true, "openai": true };

window.run = async (name, address, prompt, stopAfter = 0) => {
  const controller = new AbortController();
  const heard = (window.heard = { text: "", error: "" });
  const onText = (piece) => {
    heard.text += piece;
    if (stopAfter && heard.text.length >= stopAfter) controller.abort();
  };
  const asked = messages[name] ? [{ role: "user", content: prompt }] : prompt;
  try {
    await clients[name](address, asked, onText, controller.signal);
  } catch (error) {
    heard.error = error.message;
  }
  return heard;
};
