import type { Api, Json } from "./api.ts";
import { start } from "./executions.ts";
import { untilEnd, untilEvent } from "./follow.ts";
import type { StandInCall, StandIns } from "./stand-ins.ts";

/** The environment of scenarios. */
export interface Stage {
  api: Api;
  /** The path of a space. */
  space: string;
  standIns: StandIns;
  /** The address of a tool server. */
  toolServer: string;
}

export interface Ran {
  run: Json;
  /** The requests to the scenario's service. */
  calls: StandInCall[];
}

/** A run of a workflow with a service, and its expected result. */
export interface Scenario {
  /** The file of the workflow. */
  file: string;
  says: string;
  service?: Parameters<StandIns["add"]>[0];
  /** Called with the address of the service. */
  input: (url: string, stage: Stage) => unknown;
  /** Answers the questions of the run. */
  meanwhile?: (execution: string, stage: Stage) => Promise<void>;
  then(ran: Ran): void;
}

/** Plays a scenario with a workflow created for it. */
export async function play(scenario: Scenario, workflowId: string, stage: Stage): Promise<Ran> {
  const { api, space, standIns } = stage;
  const { url, calls } = standIns.add(scenario.service ?? (() => ({})));
  const input = await scenario.input(url, stage);
  const { path } = await start(api, space, workflowId, input);
  await scenario.meanwhile?.(path, stage);
  return { run: await untilEnd(api, path), calls };
}

/** Answers the question of a run as soon as there is one. */
export const answer =
  (body: object): Scenario["meanwhile"] =>
  async (path, { api }) => {
    await untilEvent(api, path, "execution.suspended");
    const { status } = await api.patch(`${path}/respond`, body);
    if (status !== 200) throw new Error(`Answering gave ${status}`);
  };

export const completes = (output: unknown) => (ran: Ran) =>
  expect(ran.run).toMatchObject({ status: "completed", output });
