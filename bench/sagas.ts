// Kills the service at random while sagas of eight steps run. Half of the kills are during or just after the call of a
// step. Then it checks each run: it must end complete or compensated, each compensation must run once, and none for a
// step that did not finish. Everything is embedded in one process.
import { setTimeout as sleep } from "node:timers/promises";
import { newWorkspace, type Json } from "../test/support/api.ts";
import { freePort } from "../test/support/free-port.ts";
import { Ledger } from "../test/support/ledger.ts";
import { ANY_FAILURE, newSaga, sagaFaults } from "../test/support/sagas.ts";
import { removeServer, restarted, startServer } from "../test/support/server.ts";
import { bar, machine } from "./machine.ts";

const KILLS = Number(process.env.KILLS ?? 200);
/** The number of concurrent sagas. */
const AT_WORK = 4;
const LIMIT_MS = Number(process.env.BENCH_SECONDS ?? 1_500) * 1_000;
const ENV = { WORKER_LEASE_MS: "500" };

console.log(`${machine()}, one process, everything embedded`);
const began = performance.now();
const ledger = await Ledger.open();
let server = await startServer({ env: ENV, port: await freePort() });
try {
  const made = await newWorkspace(server.url);
  const { space } = made;
  // A session of a user may end before the kills do.
  const key = await made.api.post(`/v1/workspaces/${made.workspaceId}/api-keys`, { name: "Kills", role: "editor" });
  const api = made.api.as(key.body.key as string);
  const workflowId = await newSaga(api, space, ledger);
  const open = new Set<string>();
  let over = false;
  const isOpen = (status: string) => ["pending", "running", "suspended"].includes(status);

  /** Keeps one saga running. Requests that a killed service did not answer are repeated. */
  async function caller(): Promise<void> {
    while (!over) {
      try {
        const input = { fail: Math.floor(Math.random() * ANY_FAILURE) };
        const { body } = await api.post(`${space}/executions`, { workflowId, input });
        if (!body?.id) continue;
        const id = body.id as string;
        open.add(id);
        for (let goesOn = true; goesOn; await sleep(20)) {
          const answer = await api.get(`${space}/executions/${id}`).catch(() => null);
          goesOn = answer?.status !== 200 || isOpen(answer.body.status as string);
        }
        open.delete(id);
      } catch {
        await sleep(20);
      }
    }
  }
  const callers = Array.from({ length: AT_WORK }, caller);

  const met = new Map<string, number>();
  let kills = 0;
  for (; kills < KILLS && performance.now() - began < LIMIT_MS; kills++) {
    const target = ledger.calls.length + 1 + Math.floor(Math.random() * 30);
    await ledger.until(() => ledger.calls.length >= target, "the calls come in");
    if (Math.random() < 0.5) await sleep(Math.random() * 10);
    for (const id of open) met.set(id, (met.get(id) ?? 0) + 1);
    server = await restarted(server, ENV);
  }
  over = true;
  await Promise.all(callers);

  const wrong: string[] = [];
  const ended = { completed: 0, failed: 0 };
  for (let path: string | undefined = `${space}/executions?limit=100`; path;) {
    const { headers, body } = await api.get(path);
    for (const { id, status } of body as Json[]) {
      if (isOpen(status as string)) {
        // A run whose start was interrupted before the response continues by itself.
        for (let goesOn = true; goesOn; await sleep(20))
          goesOn = isOpen((await api.get(`${space}/executions/${id}`)).body.status as string);
      }
      wrong.push(...(await sagaFaults(api, `${space}/executions/${id}`, ledger)));
      ended[status === "completed" ? "completed" : "failed"]++;
    }
    path = /<([^>]+)>/.exec(headers.get("link") ?? "")?.[1];
  }
  const again = new Set(ledger.calls.map(call => call.key).filter(one => ledger.count(one) > 1));
  const hits = [...met.values()].reduce((sum, times) => sum + times, 0);
  console.log(
    `${kills} kills met ${met.size} runs ${hits} times (one run up to ${Math.max(0, ...met.values())} times) in ${((performance.now() - began) / 1_000).toFixed(0)} s`,
  );
  console.log(
    `${ended.completed} runs are complete and ${ended.failed} compensated; ${again.size} calls were cut off and made again with the same key`,
  );
  for (const one of wrong.slice(0, 20)) console.log(one);
  bar(`${KILLS} kills, each with sagas at work`, kills === KILLS && hits >= KILLS);
  bar(
    "each run is complete or compensated: each compensation once, none for a step that did not finish",
    wrong.length === 0,
  );
} finally {
  await removeServer(server);
  await ledger.close();
}
