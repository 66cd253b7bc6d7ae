// One stream of events for all windows of a browser: a browser has six connections to a station, and a stream keeps one.

import { openStream } from "./stream.js";

const windows = new Set();
let address = null;
let end = null;
let isOpen = false;
/// The newest state of the bench, for a window that comes later.
let now = null;

function tell(name, data) {
  isOpen = name !== "error" && name !== "refused";
  if (!isOpen) now = null;
  if (name === "now") now = data;
  for (const one of windows) one.postMessage({ name, data });
}

self.onconnect = ({ ports: [port] }) => {
  port.onmessage = ({ data }) => {
    if (data.leaves) {
      windows.delete(port);
      return;
    }
    windows.add(port);
    if (data.address !== address) {
      end?.();
      isOpen = false;
      now = null;
      address = data.address;
      end = openStream(address, tell);
    } else if (isOpen) {
      port.postMessage({ name: "open" });
      if (now !== null) port.postMessage({ name: "now", data: now });
    }
  };
};
