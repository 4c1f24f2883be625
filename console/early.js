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
  // The files of the page at the address, and the session for `data/session.ts`: otherwise the page's own scripts ask for
  // them, once they have run. The build names the files: each entry is a pattern of addresses, with their files.
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
  // The page's own scripts follow the first paint, as they keep the thread busy. A page in the background paints nothing.
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
