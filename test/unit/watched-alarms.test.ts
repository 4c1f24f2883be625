import { readFileSync } from "node:fs";
import { join } from "node:path";
import { RecentEnds } from "../../services/executions/engine/recent-ends.ts";
import { WATCHED } from "../../services/identity/operator-numbers.ts";

const root = join(__dirname, "../..");
const alerts = readFileSync(join(root, "ops/prometheus/alerts.yml"), "utf8");

it.each(Object.entries(WATCHED))("raises %s above the limit that operators see", (name, { above }) => {
  const rule = alerts.split(/- alert: /).find(text => text.startsWith(`${name}\n`));
  expect(rule?.match(/> ([\d.]+)\n/)?.[1]).toBe(String(above));
});

it("counts how runs ended in the last quarter of an hour", () => {
  const minute = (n: number) => n * 60_000;
  const ends = new RecentEnds();
  ends.add("failed", minute(0));
  ends.add("completed", minute(5));
  ends.add("suspended", minute(5));
  expect(ends.count(minute(14))).toEqual({ completed: 1, failed: 1, cancelled: 0 });
  expect(ends.count(minute(15))).toEqual({ completed: 1, failed: 0, cancelled: 0 });
  for (let n = 16; n < 100; n++) ends.add("cancelled", minute(n));
  expect(ends.count(minute(99))).toEqual({ completed: 0, failed: 0, cancelled: 15 });
});
