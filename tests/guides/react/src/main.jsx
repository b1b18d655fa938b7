import { StrictMode, useState } from "react";
import { createRoot } from "react-dom/client";

import { signOut, useChatIdentity } from "./chat.js";

function App() {
  const [user, setUser] = useState(null);
  const [page, setPage] = useState("Canoes");
  useChatIdentity(user?.id);

  function show(event) {
    event.preventDefault();
    history.pushState(null, "", event.currentTarget.href);
    setPage("Prices");
  }

  async function leave() {
    await signOut();
    setUser(null);
  }

  return (
    <>
      <h1 key={page}>{page}</h1>
      <a href="/prices" onClick={show}>
        Prices
      </a>
      {user ? (
        <button onClick={leave}>Sign out</button>
      ) : (
        <button onClick={() => setUser({ id: 7 })}>Sign in</button>
      )}
    </>
  );
}

createRoot(document.getElementById("app")).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
