import { newWorkflow } from "../support/api.ts";
import { node } from "../support/definition.ts";
import { visit } from "./support/browser.ts";
import { enter } from "./support/person.ts";
import { ada, browser, server } from "./support/scene.ts";

const COUNT = 200;
const NODE = ".react-flow__node";

test("a large graph renders the visible part first, then the rest, and reads its workflow once", async () => {
  const nodes = Array.from({ length: COUNT }, (_, n) => ({
    ...node(`s${n}`, "transform", { value: n }),
    position: { x: (n % 20) * 304, y: Math.floor(n / 20) * 104 },
  }));
  const edges = nodes.slice(1).map((_, n) => ({ source: `s${n}`, target: `s${n + 1}` }));
  const id = await newWorkflow(ada.api, ada.space, { nodes, edges });
  const { context, page, guard } = await visit(browser, server.url);
  await enter(context, server.url, ada);
  let readings = 0;
  page.on("request", request => {
    if (request.url().endsWith(`${ada.space}/workflows/${id}`)) readings++;
  });
  // How many steps were there each time that steps were added.
  await page.addInitScript(`
    globalThis.counts = [];
    new MutationObserver(() => {
      const count = document.querySelectorAll("${NODE}").length;
      if (count > 0 && count !== counts.at(-1)) counts.push(count);
    }).observe(document, { subtree: true, childList: true });
  `);
  await page.goto(`${server.url}/w/${ada.slug}/s/${ada.workspaceId}/f/${id}`);
  await page
    .locator(NODE)
    .nth(COUNT - 1)
    .waitFor();
  // The map in the corner is drawn last.
  await page.locator(".react-flow__minimap").waitFor();
  const counts = await page.evaluate<number[]>("counts");
  expect(counts[0]).toBeLessThan(COUNT / 2);
  expect(await page.locator(`${NODE}[data-id=s0]`).isVisible()).toBe(true);
  expect(await page.locator(".react-flow__edge").count()).toBe(COUNT - 1);
  expect(readings).toBe(1);

  // A name that is typed comes onto the canvas, and no other step is drawn anew for it.
  await page.locator(`${NODE}[data-id=s1]`).click();
  const name = page.getByLabel("Name of the step");
  await name.waitFor();
  await page.evaluate(`
    globalThis.drawn = new Set();
    new MutationObserver(changes => {
      for (const { target } of changes) {
        const node = (target.nodeType === 1 ? target : target.parentElement)?.closest("${NODE}");
        if (node) drawn.add(node.dataset.id);
      }
    }).observe(document.querySelector(".react-flow__nodes"), { subtree: true, attributes: true, childList: true, characterData: true });
  `);
  await name.fill("");
  await name.pressSequentially("Sum");
  await page.locator(`${NODE}[data-id=s1]`).getByText("Sum").waitFor();
  expect(await page.evaluate("[...drawn]")).toEqual(["s1"]);
  expect(guard.faults).toEqual([]);
  await context.close();
});
