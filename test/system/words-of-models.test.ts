import { type Api, newWorkflow, newWorkspace } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { EventStream } from "../support/events.ts";
import { start } from "../support/executions.ts";
import { FakeModels } from "../support/fake-models.ts";
import { untilEnd } from "../support/follow.ts";
import { removeServer, type Server, startServer } from "../support/server.ts";

let models: FakeModels;
let server: Server;
let api: Api;
let space: string;
beforeAll(async () => {
  models = await FakeModels.open({ say: () => "It is raining." });
  server = await startServer({ env: { LLM_BASE_URL: models.baseUrl, LLM_MODEL: "big" } });
  ({ api, space } = await newWorkspace(server.url));
});
afterAll(async () => {
  await removeServer(server);
  await models?.close();
});

it("are streamed to followers that request them, before the answer is complete, and are not stored", async () => {
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>();
  models.options.between = piece => (piece === 3 ? held : Promise.resolve());
  const workflowId = await newWorkflow(api, space, definition([node("a", "llm", { prompt: "The weather?" })]));
  const { path } = await start(api, space, workflowId);
  const [following, other] = await Promise.all([
    EventStream.open(api, path, undefined, "?deltas=true"),
    EventStream.open(api, path),
  ]);
  const words = await following.until("step.delta");
  expect(words.data).toEqual({ nodeId: "a", turn: null, at: 0, text: "It is " });
  goOn();
  const { output } = await untilEnd(api, path);
  expect(output).toMatchObject({ text: "It is raining.", usage: { outputTokens: expect.any(Number) as number } });
  await Promise.all([following.toEnd(), other.toEnd()]);
  const names = (stream: EventStream) => stream.events.map(({ event }) => event);
  expect(names(other)).not.toContain("step.delta");
  expect(names(following).filter(name => name !== "step.delta")).toEqual(names(other));
  expect((await api.get(`${path}/events?deltas=perhaps`)).status).toBe(400);
});
