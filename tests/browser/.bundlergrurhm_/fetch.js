// fetch.js
export async function ask(address, messages, onText, signal) {
  const body = JSON.stringify({ messages });
  let lastEventId = "";
  for (;;) {
    const headers = { "Content-Type": "application/json" };
    if (lastEventId) headers["Last-Event-ID"] = lastEventId;
    try {
      const response = await fetch(`${address}/chat`, { method: "POST", headers, body, signal });
      if (response.status === 204) throw problem("The answer is no longer there");
      if (!response.ok) throw problem((await response.json()).error.message);
      for await (const { id, data } of eventsOf(response)) {
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
  }
}

const problem = (message) => Object.assign(new Error(message), { isFinal: true });

async function* eventsOf(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (buffer + value).split("\n\n");
    buffer = blocks.pop();
    for (const block of blocks) {
      const field = (name) => block.match(new RegExp(`^${name}: (.*)$`, "m"))?.[1] ?? "";
      if (field("data")) yield { id: field("id"), data: field("data") };
    }
  }
}
