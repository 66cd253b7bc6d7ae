// The secrets of the session that only pages of this origin have, beside the cookie, which every server of this computer gets.

// Storage of the origin, which has the port. That of a window alone would shut out the second window.
const KEY = "cliptag-session";

/// Keeps what the station answered to the link.
export const keepSession = ({ page, view }) => localStorage.setItem(KEY, JSON.stringify({ page, view }));

/// Calls when another window has opened a link.
export const onNewSession = (action) => addEventListener("storage", ({ key }) => key === KEY && action());

/// The secrets: `page` for requests, `view` for addresses.
export function session() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

/// An address of the station for an image, a link or a stream, where no header can be sent.
export function own(path) {
  const address = new URL(path, location.origin);
  address.searchParams.set("view", session().view ?? "");
  return address.pathname + address.search;
}
