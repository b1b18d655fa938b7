// fetch-event-source.js
import { fetchEventSource } from "@microsoft/fetch-event-source";

export async function ask(address, messages, onText, signal) {
  const problem = (message) => Object.assign(new Error(message), { isFinal: true });
  await fetchEventSource(`${address}/chat?heartbeat=data`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ messages }),
    signal,
    openWhenHidden: true, // otherwise it sends the request again whenever the tab is shown
    async onopen(response) {
      if (!response.ok) throw problem((await response.json()).error.message);
      if (response.status === 204) throw problem("The answer is no longer there");
    },
    onmessage({ data }) {
      if (data === "[DONE]") return;
      const { response, error } = JSON.parse(data);
      if (error) throw problem(error.message);
      onText(response);
    },
    onerror(error) {
      if (error.isFinal) throw error; // after a lost connection, it retries
    },
  });
}
