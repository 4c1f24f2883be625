import { newWorkflow, newWorkspace } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { start } from "../support/executions.ts";
import { untilEnd } from "../support/follow.ts";
import { Ledger } from "../support/ledger.ts";
import { sharedServer } from "../support/shared.ts";

it("keeps `$now()` at the start of the step in every attempt, and `$uuid()` differs", async () => {
  const server = await sharedServer();
  const { api, space } = await newWorkspace(server.url);
  const ledger = await Ledger.open(({ number }) => (number < 3 ? { status: 503 } : undefined));
  try {
    const body = { now: "{{ $now() }}", millis: "{{ $millis() }}", uuid: "{{ $uuid() }}" };
    const policy = { retry: { maxAttempts: 3, backoff: "fixed", initialMs: 20, jitter: 0 } };
    const call = node("call", "http", { method: "POST", url: `${ledger.url}/call`, body }, { policy });
    const { path } = await start(api, space, await newWorkflow(api, space, definition([call])));
    expect(await untilEnd(api, path)).toMatchObject({ status: "completed" });

    const sent = ledger.calls.map(one => one.body as typeof body);
    expect(sent).toHaveLength(3);
    expect(new Set(sent.map(({ now, millis }) => `${now} ${millis}`)).size).toBe(1);
    expect(Date.parse(sent[0]!.now)).toBe(sent[0]!.millis);
    expect(new Set(sent.map(({ uuid }) => uuid)).size).toBe(3);
  } finally {
    await ledger.close();
  }
});
