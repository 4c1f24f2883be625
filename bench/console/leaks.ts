import type { Browser } from "playwright-core";
import { newWorkflow } from "../../test/support/api.ts";
import { definition, gives } from "../../test/support/definition.ts";
import { untilEnd } from "../../test/support/follow.ts";
import type { Person } from "../../test/browser/support/person.ts";
import { heapOf, sit } from "./observed.ts";
import { Report } from "./report.ts";

const WARM_UP = 5;

/** Opens and leaves a page again and again, without reloading the document. */
export async function leaveOften(browser: Browser, url: string, person: Person, times: number): Promise<Report> {
  const report = new Report(`Opening and leaving a page ${times} times`);
  const { api, space, slug, workspaceId } = person;
  const workflowId = await newWorkflow(api, space, definition([gives("a", 1), gives("b", 2)], "a > b"));
  const { body } = await api.post(`${space}/executions`, { workflowId });
  await untilEnd(api, `${space}/executions/${body.id as string}`);
  const places = {
    builder: [`/w/${slug}/workflows`, `a[href*="/f/${workflowId}"]`, `/w/${slug}/s/${workspaceId}/f/${workflowId}`],
    run: [
      `/w/${slug}/runs`,
      `a[href*="/runs/${body.id as string}"]`,
      `/w/${slug}/s/${workspaceId}/runs/${body.id as string}`,
    ],
  } as const;
  for (const [name, [list, link, path]] of Object.entries(places)) {
    const seat = await sit(browser, url, person, "h1");
    const { page } = seat;
    try {
      await page.goto(url + list);
      const once = async () => {
        await page.locator(link).first().click();
        await page.waitForURL(`**${path}**`);
        await page.locator(".react-flow__node").first().waitFor();
        await page.goBack();
        await page.locator(link).first().waitFor();
      };
      for (let n = 0; n < WARM_UP; n++) await once();
      const before = await heapOf(seat);
      for (let n = 0; n < times; n++) await once();
      report.add(`${name}: the heap has grown by`, (await heapOf(seat)) - before, "MiB", 5);
    } finally {
      await seat.context.close();
    }
  }
  return report;
}
