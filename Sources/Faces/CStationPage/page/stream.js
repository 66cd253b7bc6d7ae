// The station's events over one connection, which is made anew whenever it breaks or falls silent.

const NAMES = ["beat", "now", "tag", "parcel", "phone", "progress", "registry", "reader"];
/// Milliseconds without a word after which the connection is taken for dead. The station says something every second.
const SILENCE = 10_000;

/// Listens at an address. `tell(name, data)` gets each event, and `open`, `error` (the browser tries again) and `refused`.
export function openStream(address, tell) {
  let source = null;
  let heard = 0;
  let retry = null;
  function connect() {
    retry = null;
    heard = Date.now();
    const mine = new EventSource(address);
    source = mine;
    mine.onopen = () => {
      heard = Date.now();
      tell("open");
    };
    mine.onerror = () => {
      const isOver = mine.readyState === EventSource.CLOSED;
      tell(isOver ? "refused" : "error");
      if (isOver && mine === source && !retry) retry = setTimeout(connect, 2000);
    };
    for (const name of NAMES)
      mine.addEventListener(name, (event) => {
        heard = Date.now();
        tell(name, event.data);
      });
  }
  const watch = setInterval(() => {
    if (retry || Date.now() - heard < SILENCE) return;
    source.close();
    connect();
  }, 1000);
  connect();
  return () => {
    clearInterval(watch);
    clearTimeout(retry);
    source.close();
  };
}
