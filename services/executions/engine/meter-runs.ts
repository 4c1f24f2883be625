import type { StepEntry } from "../../../core/run/entry.ts";
import type { UsageMeter } from "../../../service-kit/usage-meter.mixin.ts";
import type { ExecutionDoc } from "../store/model.ts";
import type { EngineObserver, RunObserver } from "./observer.ts";

const endsStep = ({ event }: StepEntry): boolean => event === "step.completed" || event === "step.failed";

/** Observes runs as `observer` does, and counts the steps that end. `ended` is called with each run that ends. */
export const meteredObserver = (
  observer: EngineObserver,
  usage: UsageMeter,
  ended: (doc: ExecutionDoc) => void,
): EngineObserver => ({
  claimed: (ms, found) => observer.claimed(ms, found),
  within: (doc, act) => observer.within(doc, act),
  run(doc, state, graph): RunObserver {
    const run = observer.run(doc, state, graph);
    return {
      within: act => run.within(act),
      step: (at, act) => run.step(at, act),
      appended(entries, ms) {
        const steps = entries.filter(endsStep).length;
        if (steps > 0) usage.add(doc.workspaceId, { steps });
        run.appended(entries, ms);
      },
      left(why) {
        run.left(why);
        if (why === "ended") ended(doc);
      },
    };
  },
});
