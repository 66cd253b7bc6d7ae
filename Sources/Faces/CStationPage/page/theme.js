// Before the first paint: the colours that were chosen here, and that scripts run.
{
  const root = document.documentElement;
  root.classList.add("scripted");
  try {
    const theme = localStorage.getItem("cliptag-theme");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  } catch {
    // Storage is switched off: the system's colours are used.
  }
}
