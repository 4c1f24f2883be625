import { v7 as uuid } from "uuid";
import type { DefinitionTest } from "../core/graph/tests.ts";
import { parseDefinition } from "../core/graph/parse-definition.ts";
import { type Difference, differencesOf } from "../core/trial/expect.ts";
import { upTo } from "../core/trial/range.ts";
import { stepsOf } from "../core/trial/steps.ts";
import { createExpressions } from "../adapters/expressions/index.ts";
import { createSandbox } from "../adapters/sandbox/index.ts";
import type { PerformParts } from "../services/executions/engine/perform-at.ts";
import { type Trial, tryRun } from "../services/executions/engine/trial.ts";

/** The limits of one test. `chars` is the length of all outputs as JSON. */
const BUDGET = { ms: 60_000, steps: 10_000, chars: 64 * 1_048_576 };

/** Runs the tests of definitions in this process. It calls nothing, stores nothing, and reads only the definition. */
export class EmbeddedTrials {
  readonly #expressions = createExpressions();
  readonly #sandbox = createSandbox();

  /** The differences from what the test expects. The definition must be runnable. */
  async run(definition: unknown, name: string, test: DefinitionTest): Promise<Difference[]> {
    const whole = parseDefinition(definition);
    const until = test.until === undefined ? undefined : whole.graph?.byId.get(test.until);
    const graph = (until && parseDefinition(upTo(definition, until)).graph) ?? whole.graph;
    if (!graph) throw new Error("the definition was checked before");
    const { input = null, trigger, mocks = {}, calls = "mocked", expect = {} } = test;
    const id = uuid();
    const doc = {
      ...{ id, workspaceId: id, spaceId: id, workflowId: id },
      ...{ startedBy: id, createdAt: new Date() },
    };
    const trial = {
      ...{ doc, graph, input, mocks, samples: {}, calls },
      workflow: { id, name, version: 1 },
      trigger: { type: "manual", ...trigger } as Trial["trigger"],
      from: test.from === undefined ? undefined : graph.byId.get(test.from),
    };
    const budget = { until: performance.now() + BUDGET.ms, steps: BUDGET.steps, chars: BUDGET.chars };
    const { state, entries, mocked } = await tryRun(this.#partsWith(test.variables ?? {}), trial, budget);
    const ended = state.status === "completed" || state.status === "failed";
    const { output, error } = state;
    const steps = stepsOf(graph, entries, mocked);
    return differencesOf(expect, { status: ended ? state.status : "suspended", output: output ?? null, error, steps });
  }

  /** The parts of the engine that a trial without calls needs. */
  #partsWith(variables: Record<string, unknown>): PerformParts {
    const ask = (action: string) =>
      action === "variables.read"
        ? Promise.resolve({ values: variables })
        : Promise.reject(new Error(`A test without a server cannot call ${action}.`));
    const parts = { expressions: this.#expressions, sandbox: this.#sandbox, broker: { call: ask } };
    const address = { hashKey: "tests", publicUrl: "http://localhost:3000" };
    // Steps that reach outside are not performed, so the parts that only they use are missing.
    return { ...parts, ...address } as unknown as PerformParts;
  }

  async close(): Promise<void> {
    await Promise.all([this.#sandbox.close(), this.#expressions.close()]);
  }
}
