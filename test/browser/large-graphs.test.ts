import { newWorkflow } from "../support/api.ts";
import { node } from "../support/definition.ts";
import { until } from "../support/until.ts";
import { visit } from "./support/browser.ts";
import { enter } from "./support/person.ts";
import { ada, browser, server } from "./support/scene.ts";

const COUNT = 200;
const NODE = ".react-flow__node";

/** Rows of 20 steps, each connected with the next. */
function rowsOf(count: number) {
  const nodes = Array.from({ length: count }, (_, n) => ({
    ...node(`s${n}`, "transform", { value: n }),
    position: { x: (n % 20) * 304, y: Math.floor(n / 20) * 104 },
  }));
  return { nodes, edges: nodes.slice(1).map((_, n) => ({ source: `s${n}`, target: `s${n + 1}` })) };
}

test("a large graph renders the visible part first, then the rest, and reads its workflow once", async () => {
  const id = await newWorkflow(ada.api, ada.space, rowsOf(COUNT));
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

test("in a very large graph, steps that React Flow does not draw are blocks on a canvas element behind it", async () => {
  const id = await newWorkflow(ada.api, ada.space, rowsOf(900));
  const { context, page, guard } = await visit(browser, server.url);
  await enter(context, server.url, ada);
  await page.goto(`${server.url}/w/${ada.slug}/s/${ada.workspaceId}/f/${id}`);
  await page.locator(`${NODE}[data-id=s0]`).waitFor();
  expect(await page.locator(NODE).count()).toBeLessThan(450);
  // The share of the canvas element that something is drawn on.
  await page.waitForFunction(`
    (canvas => {
      if (!canvas || canvas.width === 0) return false;
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      let drawn = 0;
      for (let at = 3; at < data.length; at += 4) drawn += data[at] > 0 ? 1 : 0;
      return drawn > data.length / 4 / 10;
    })(document.querySelector(".react-flow canvas"))
  `);
  expect(guard.faults).toEqual([]);
  await context.close();
});

test("a run stays in sight in a wide graph, which says at its sides how many steps are beyond them", async () => {
  const asks = new Set([1, 12]);
  const nodes = Array.from({ length: 15 }, (_, n) =>
    asks.has(n) ? node(`s${n}`, "human", { prompt: "Go on?" }) : node(`s${n}`, "transform", { value: n }),
  );
  const edges = nodes.slice(1).map((_, n) => ({ source: `s${n}`, target: `s${n + 1}` }));
  const workflowId = await newWorkflow(ada.api, ada.space, { nodes, edges });
  const { body } = await ada.api.post(`${ada.space}/executions`, { workflowId });
  const run = body.id as string;
  const { context, page, guard } = await visit(browser, server.url);
  await enter(context, server.url, ada);
  await page.goto(`${server.url}/w/${ada.slug}/s/${ada.workspaceId}/runs/${run}`);
  const canvas = page.getByRole("application");
  const toSide = (side: string) =>
    canvas.getByRole("button", { name: new RegExp(`^[0-9]+ more steps? to the ${side}$`) });
  const isInSight = async (id: string) => {
    const [step, all] = [await page.locator(`${NODE}[data-id=${id}]`).boundingBox(), await canvas.boundingBox()];
    return step !== null && all !== null && step.x >= all.x && step.x + step.width <= all.x + all.width;
  };
  await toSide("right").waitFor();
  expect(await isInSight("s1")).toBe(true);
  expect(await toSide("left").count()).toBe(0);

  // The run goes on to a step beyond the right side.
  expect(await isInSight("s12")).toBe(false);
  await until(
    async () => (await ada.api.patch(`${ada.space}/executions/${run}/respond`, { approved: true })).status < 300,
  );
  await until(() => isInSight("s12"));

  // The button goes when the first step is in sight. The canvas keeps its keys.
  await toSide("left").focus();
  while ((await toSide("left").count()) > 0) {
    await page.keyboard.press("Enter");
    await page.waitForTimeout(250);
  }
  expect(await isInSight("s0")).toBe(true);
  expect(await page.evaluate("document.activeElement.getAttribute('role')")).toBe("application");
  expect(guard.faults).toEqual([]);
  await context.close();
});
