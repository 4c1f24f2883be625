// Runs before the first paint. It sets the theme and density that `data/preferences.ts` stores, and draws the frame of
// the page: that of signed-in users if someone was signed in here, with its navigation as before.
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
    // Without storage the page uses the settings of the system.
  }
  // Requests the files of the page at the current address, and the session for `data/session.ts`. Otherwise these
  // requests would wait for the page's own scripts. The build inserts the files: each entry is a pattern of addresses
  // with its files.
  function ask() {
    var named = document.querySelector('meta[name="weft-files"]');
    if (!named) return;
    JSON.parse(named.content).forEach(function (page) {
      if (!new RegExp(page[0]).test(window.location.pathname)) return;
      page[1].forEach(function (file) {
        var link = document.createElement("link");
        var isStyle = file.endsWith(".css");
        link.rel = isStyle ? "preload" : "modulepreload";
        link.as = isStyle ? "style" : "script";
        link.crossOrigin = "";
        link.href = "/" + file;
        document.head.append(link);
      });
    });
    window.weftSession = window.fetch("/v1/auth/browser/token", {
      method: "POST",
      headers: { "content-type": "application/json", "weft-console": "1" },
      body: "{}",
      signal: window.AbortSignal.timeout(20000),
    });
    window.weftSession.catch(function () {});
  }
  // The page's own scripts start after the first paint, because they keep the main thread busy. A hidden page paints
  // nothing, so there they start at once.
  var main = document.currentScript.dataset.main;
  function load() {
    if (main)
      import(main).catch(function () {
        root.dataset.frame = "failed";
      });
  }
  function start() {
    ask();
    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", load);
    else load();
  }
  if (document.hidden) start();
  else
    window.requestAnimationFrame(function () {
      window.setTimeout(start);
    });
})();
