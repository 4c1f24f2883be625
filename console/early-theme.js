// Sets, before the first paint, the chosen theme and density, which `data/preferences.ts` writes, and the frame that the
// document draws: that of the shell where the person was signed in here, with its rail as it was.
(function () {
  var document = window.document;
  var root = document.documentElement;
  try {
    var kept = JSON.parse(window.localStorage.getItem("weft:look") || "{}");
    if (kept.theme === "light" || kept.theme === "dark") root.dataset.theme = kept.theme;
    if (kept.density === "compact" || kept.density === "roomy") root.dataset.density = kept.density;
    if (kept.motion === "none") root.dataset.motion = "none";
    if (/^\/(w|me|operator)(\/|$)/.test(window.location.pathname) && window.localStorage.getItem("weft:last-workspace"))
      root.dataset.frame = window.localStorage.getItem("weft:rail-collapsed") === "yes" ? "icons" : "names";
  } catch {
    // Without storage the page follows the system.
  }
  // The page's own scripts follow the first paint, as they keep the thread busy. A page in the background paints nothing.
  var main = document.currentScript.dataset.main;
  function load() {
    if (main)
      import(main).catch(function () {
        root.dataset.frame = "failed";
      });
  }
  function start() {
    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", load);
    else load();
  }
  if (document.hidden) start();
  else
    window.requestAnimationFrame(function () {
      window.setTimeout(start);
    });
})();
