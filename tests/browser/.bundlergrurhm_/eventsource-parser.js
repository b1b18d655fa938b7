// eventsource-parser.js
import { EventSourceParserStream } from "eventsource-parser/stream";

export async function ask(address, messages, onText, signal, lastEventId = "") {
  try {
    const response = await fetch(`${address}/chat`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...(lastEventId && { "Last-Event-ID": lastEventId }) },
      body: JSON.stringify({ messages }),
      signal,
    });
    if (response.status === 204) throw problem("The answer is no longer there");
    if (!response.ok) throw problem((await response.json()).error.message);
    const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
    const reader = events.getReader(); // Safari has no `for await` for streams
    while (true) {
      const { done, value } = await reader.read();
      if (done) break;
      const { id, data } = value;
      if (data === "[DONE]") return;
      lastEventId = id || lastEventId;
      const { response: text, error } = JSON.parse(data);
      if (error) throw problem(error.message);
      onText(text);
    }
  } catch (error) {
    if (error.isFinal || signal?.aborted || !lastEventId) throw error;
  }
  await new Promise((resolve) => setTimeout(resolve, 1000)); // the connection was lost
  return ask(address, messages, onText, signal, lastEventId);
}

const problem = (message) => Object.assign(new Error(message), { isFinal: true });
