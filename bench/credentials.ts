// Measures what a credential costs an http step. It alternates runs of the same steps with and without one, and reports
// the processor time and the elapsed time of each step, and the difference. `--quick` measures 3 pairs instead of 12.
import { cpus, loadavg } from "node:os";
import { newWorkflow, newWorkspace } from "../test/support/api.ts";
import { definition, node } from "../test/support/definition.ts";
import { startEndpoint } from "../test/support/endpoint.ts";
import { removeServer, startServer } from "../test/support/server.ts";
import { processorMs } from "./processor.ts";
import { median } from "./statistics.ts";

const PAIRS = Number(process.env.BENCH_PAIRS ?? (process.argv.includes("--quick") ? 3 : 12));
const STEPS = 300;
const [cpu] = cpus();
console.log(`${cpus().length} × ${cpu?.model ?? "?"}, Node ${process.version}, one process, everything embedded`);
const [server, endpoint] = await Promise.all([startServer(), startEndpoint()]);
try {
  const { api, space, workspaceId } = await newWorkspace(server.url);
  const hosts = [new URL(endpoint.url).host];
  const made = async (type: string, data: object): Promise<string> => {
    const { body } = await api.post(`/v1/workspaces/${workspaceId}/credentials`, { name: type, type, hosts, data });
    return (body as { id: string }).id;
  };
  const workflowWith = (credential?: string) => {
    const call = node("call", "http", { url: `${endpoint.url}/status/200`, ...(credential && { credential }) });
    const each = node("each", "map", { items: "{{ input }}", concurrency: 4 });
    return newWorkflow(api, space, definition([each, { ...call, parentId: "each" }]));
  };
  const kinds = {
    none: await workflowWith(),
    bearer: await workflowWith(await made("bearer", { token: "a-token-of-some-length-0123456789" })),
    basic: await workflowWith(await made("basic", { username: "ada", password: "a password of some length" })),
  };
  const input = Array.from({ length: STEPS }, (_, n) => n);
  const times = Object.fromEntries(
    Object.keys(kinds).map(kind => [kind, { processor: [] as number[], elapsed: [] as number[] }]),
  );
  for (let pair = -2; pair < PAIRS; pair++) {
    for (const [kind, workflowId] of Object.entries(kinds)) {
      const [before, began] = [processorMs(server), performance.now()];
      const { body } = await api.post(`${space}/executions`, { workflowId, input }, { prefer: "wait=60" });
      const { status } = body as { status: string };
      if (status !== "completed") throw new Error(`A run ended as ${status}`);
      // The first runs compile the code.
      if (pair < 0) continue;
      times[kind]!.processor.push((processorMs(server) - before) / STEPS);
      times[kind]!.elapsed.push((performance.now() - began) / STEPS);
    }
  }
  const differences = (kind: string, what: "processor" | "elapsed") =>
    times[kind]![what].map((ms, pair) => ms - times.none![what][pair]!);
  console.log(
    `load average ${loadavg()
      .map(load => load.toFixed(1))
      .join(" ")}; medians of ${PAIRS} pairs of ${STEPS} steps`,
  );
  for (const kind of Object.keys(kinds)) {
    const [processor, elapsed] = (["processor", "elapsed"] as const).map(what => median(times[kind]![what]).toFixed(3));
    const more =
      kind === "none"
        ? ""
        : `, ${median(differences(kind, "processor")).toFixed(3)} ms of the processor and ${median(differences(kind, "elapsed")).toFixed(3)} ms elapsed more`;
    console.log(`${kind.padEnd(8)} ${processor} ms of the processor, ${elapsed} ms elapsed a step${more}`);
  }
} finally {
  await Promise.all([removeServer(server), endpoint.close()]);
}
