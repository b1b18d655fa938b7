import { createRoot } from "react-dom/client";

import { Chat } from "./Chat.jsx";

const id = new URLSearchParams(location.search).get("chat") ?? crypto.randomUUID();
createRoot(document.getElementById("app")).render(<Chat id={id} />);
