// event-source-polyfill.js
import { EventSourcePolyfill as EventSource } from "event-source-polyfill";
// event-source.js
export function ask(address, prompt, onText, signal) {
  return new Promise((resolve, reject) => {
    const source = new EventSource(`${address}/chat?prompt=${encodeURIComponent(prompt)}`);
    const end = (settle, value) => {
      source.close();
      settle(value);
    };
    signal?.addEventListener("abort", () => end(resolve));
    source.onerror = () => {
      if (source.readyState === EventSource.CLOSED) end(reject, new Error("No answer"));
    };
    source.onmessage = ({ data }) => {
      if (data === "[DONE]") return end(resolve);
      const { response, error } = JSON.parse(data);
      if (error) return end(reject, new Error(error.message));
      onText(response);
    };
  });
}
