// Sets the chosen theme and density before the first paint. `data/preferences.ts` writes them.
(function () {
  try {
    var kept = JSON.parse(localStorage.getItem("weft:look") || "{}");
    var root = document.documentElement;
    if (kept.theme === "light" || kept.theme === "dark") root.dataset.theme = kept.theme;
    if (kept.density === "compact" || kept.density === "roomy") root.dataset.density = kept.density;
    if (kept.motion === "none") root.dataset.motion = "none";
  } catch {
    // Without storage the page follows the system.
  }
})();
