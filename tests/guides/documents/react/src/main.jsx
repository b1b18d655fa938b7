import { useEffect, useState } from "react";
import { createRoot } from "react-dom/client";

function Answer() {
  const [text, setText] = useState("");

  useEffect(() => {
    const source = new EventSource("/worker-endpoint");
    source.onmessage = (event) => {
      if (event.data === "[DONE]") {
        source.close();
        return;
      }
      const data = JSON.parse(event.data);
      setText((before) => before + data.response);
    };
    return () => source.close();
  }, []);

  return <div id="output">{text}</div>;
}

createRoot(document.getElementById("app")).render(<Answer />);
