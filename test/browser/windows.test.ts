import { visit } from "./support/browser.ts";
import { enter } from "./support/person.ts";
import { ada, browser, server } from "./support/scene.ts";

/** What a document can see of those before it. Runs in the page. */
const TRACES = `(async () => ({
  cookies: document.cookie,
  local: localStorage.length,
  session: sessionStorage.length,
  databases: (await indexedDB.databases()).length,
  caches: (await caches.keys()).length,
  name: window.name,
  entries: history.length,
  mark: String(globalThis.mark),
  dark: matchMedia("(prefers-color-scheme: dark)").matches,
  width: innerWidth,
}))()`;

const LEAVE_TRACES = `(async () => {
  document.cookie = "left=1";
  localStorage.setItem("left", "1");
  sessionStorage.setItem("left", "1");
  window.name = "left";
  history.pushState({}, "", "?left");
  await caches.open("left");
  await new Promise((done, failed) => {
    const opening = indexedDB.open("left");
    opening.onsuccess = done;
    opening.onerror = failed;
  });
})()`;

const PAGE = "/sign-in";

it("a window that a scenario has closed has no trace of it in the next scenario", async () => {
  const open = async () => {
    const visited = await visit(browser, server.url);
    await visited.page.goto(server.url + PAGE);
    await visited.page.getByRole("heading").first().waitFor();
    return visited;
  };
  // A new window, which no suite has used: its options are like no other's.
  const fresh = await visit(browser, server.url, { timezoneId: "Asia/Tokyo" });
  await fresh.page.goto(server.url + PAGE);
  const nothing = await fresh.page.evaluate(TRACES);
  await fresh.context.close();

  const first = await open();
  await enter(first.context, server.url, ada);
  await first.page.addInitScript("globalThis.mark = 'left'");
  await first.context.route("**/v1/**", route => route.abort());
  let heard = 0;
  first.context.on("request", () => heard++);
  first.page.on("request", () => heard++);
  await first.page.emulateMedia({ colorScheme: "dark" });
  await first.page.setViewportSize({ width: 390, height: 844 });
  await first.page.evaluate(LEAVE_TRACES);
  expect(await first.page.evaluate(TRACES)).not.toEqual(nothing);
  await first.context.close();
  heard = 0;

  const second = await open();
  expect(second.page).toBe(first.page);
  expect(await second.page.evaluate(TRACES)).toEqual(nothing);
  expect(await second.context.cookies()).toEqual([]);
  expect(heard).toBe(0);
  expect(second.guard.faults).toEqual([]);
  await second.context.close();
});

it("a window is not used again after a change that cannot be undone", async () => {
  const first = await visit(browser, server.url);
  await first.page.goto(server.url + PAGE);
  await first.context.setOffline(true);
  await first.context.close();
  expect(first.page.isClosed()).toBe(true);
});
