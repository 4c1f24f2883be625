import type { LogLine } from "../../../core/run/entry.ts";
import { addressIn, type Address, type Frame, type NodeState } from "../../../core/run/frame.ts";
import { stepsSeenIn } from "../../../core/run/seen-steps.ts";
import { incoming, nodeInput } from "../../../core/run/plan.ts";
import type { GraphNode } from "../../../core/graph/graph.ts";
import type { Policy } from "../../../core/graph/definition.ts";
import type { StepReport } from "../../../core/run/records.ts";
import type { RunState } from "../../../core/run/state.ts";
import type { Abort } from "./abort.ts";
import type { Secrets } from "./steps/secrets.ts";
import type { Recorded, StepContext, StepParts } from "./steps/step.ts";

/** A report of a step while it is performed. */
export type LiveReport = Omit<StepReport, "nodeId" | "path" | "attempt">;

/** The sources of a step's context. */
export interface ViewSources {
  node: GraphNode;
  frame: Frame;
  state: RunState;
  doc: StepContext["doc"];
  scope: StepContext["scope"];
  parts: StepParts;
  secrets: Secrets;
  dry: StepContext["dry"];
  abort: Abort;
  report: (said: LiveReport) => Promise<void>;
}

const NO_RECORDS: StepContext["records"] = [];

/** The round that a loop has to examine; undefined before its first round, and for all other steps. */
function roundOf(frame: Frame, { round, frames }: NonNullable<NodeState["map"]>): StepContext["round"] {
  if (!round) return undefined;
  const { index, carry } = round;
  return { index, carry, steps: stepsSeenIn(frames.get(index) ?? frame) };
}

/** The context of a step of a run. It shows the run at the time when the step begins. */
export class StepView implements StepContext {
  readonly #sources: ViewSources;
  readonly former: string | undefined;
  readonly records: StepContext["records"];
  readonly round: StepContext["round"];

  constructor(sources: ViewSources) {
    this.#sources = sources;
    const { frame, node } = sources;
    const state = frame.nodes.get(node.id);
    this.former = state?.child?.id;
    this.records = state?.records ? [...state.records.list] : NO_RECORDS;
    this.round = state?.map && roundOf(frame, state.map);
  }

  get doc(): StepContext["doc"] {
    return this.#sources.doc;
  }

  get at(): Address {
    return addressIn(this.#sources.frame, this.#sources.node.id);
  }

  get dry(): StepContext["dry"] {
    return this.#sources.dry;
  }

  record(recorded: Recorded): Promise<void> {
    const { report, secrets } = this.#sources;
    return report({ ...secrets.mask(recorded), kept: true });
  }

  log(line: LogLine): void {
    const { report, secrets } = this.#sources;
    void report({ ...secrets.mask(line), kept: false }).catch(() => undefined);
  }

  input(): unknown {
    const { node, state, frame } = this.#sources;
    return nodeInput(node, state, frame);
  }

  incoming(): Record<string, unknown> {
    return incoming(this.#sources.node, this.#sources.frame);
  }

  get scope(): StepContext["scope"] {
    return this.#sources.scope;
  }

  get policy(): Policy {
    return this.#sources.node.policy;
  }

  get signal(): AbortSignal {
    return this.#sources.abort.signal;
  }

  get parts(): StepParts {
    return this.#sources.parts;
  }

  get secrets(): Secrets {
    return this.#sources.secrets;
  }
}
