import { type Api, newWorkflow, newWorkspace } from "../support/api.ts";
import { definition, gives } from "../support/definition.ts";
import { EventStream } from "../support/events.ts";
import { start } from "../support/executions.ts";
import { describeWithNats } from "../support/nats.ts";
import { Nodes } from "../support/nodes.ts";

describeWithNats("the events of a workspace on several nodes", () => {
  let nodes: Nodes;
  let via: Api[];
  let base: string;
  let space: string;
  beforeAll(async () => {
    nodes = await Nodes.start({ gateways: 2, workers: 1, rests: 1 });
    const place = await newWorkspace(nodes.gateways[0]!.url);
    via = nodes.gateways.map(({ url }) => place.api.at(url));
    base = `/v1/workspaces/${place.workspaceId}`;
    space = place.space;
  });
  afterAll(() => nodes?.close());

  async function ended(stream: EventStream, id: string): Promise<number> {
    for (;;) {
      const event = await stream.until("execution.changed");
      if (event.data.id === id && event.data.status === "completed") return event.id;
    }
  }

  it("reach the clients of every gateway, and go on without a gap", async () => {
    const streams = await Promise.all(via.map(api => EventStream.open(api, base)));
    for (const stream of streams) expect(await stream.next()).toMatchObject({ event: "ready" });
    const workflowId = await newWorkflow(via[0]!, space, definition([gives("a", 1)]));
    await Promise.all(streams.map(stream => stream.until("workflow.saved")));
    const first = await start(via[1]!, space, workflowId);
    const seen = await Promise.all(streams.map(stream => ended(stream, first.id)));
    streams[0]!.close();
    const second = await start(via[0]!, space, workflowId);
    await ended(streams[1]!, second.id);

    const resumed = await EventStream.open(via[0]!, base, seen[0]);
    await ended(resumed, second.id);
    expect(resumed.events.map(({ event }) => event)).not.toContain("reset");
    for (const stream of [streams[1]!, resumed]) stream.close();
  });
});
