// The link's page: it becomes a session of this browser, and the page Now.

import { keepSession } from "./session.js";

const token = new URLSearchParams(location.search).get("token");
// The link works once: nothing of it stays in the address or the history.
history.replaceState(null, "", "/");
try {
  const response = await fetch("/open", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ token }), cache: "no-store" });
  if (response.ok) keepSession(await response.json());
} finally {
  // A link that was used leads where the first page says what to do.
  location.replace("/");
}
