import { useQuery } from "@tanstack/react-query";
import { Pencil, Pin, PinOff } from "lucide-react";
import { useState, useSyncExternalStore } from "react";
import { pinSample, samplesQuery, unpinSample } from "../../data/step-values.ts";
import { problemOf } from "../../data/problem.ts";
import { JsonView } from "../../json/json-view.tsx";
import { words } from "../../messages/en-inspector.ts";
import { Button } from "../../ui/button.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Empty } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { useBuilder } from "../builder-context.tsx";
import styles from "./inspector.module.css";
import { PinDialog } from "./pin-dialog.tsx";
import { TestResult } from "./test-result.tsx";
import type { StepSample } from "./use-step-sample.ts";
import type { Tested } from "./use-test.ts";

interface OutputTabProps {
  nodeId: string;
  sample: StepSample;
  tested: Tested | undefined;
}

/** The output of the step: of the test that was just run, of its pinned sample, or of the chosen run. */
export function OutputTab({ nodeId, sample, tested }: OutputTabProps) {
  const { readOnly } = useBuilder();
  const { at, samples } = sample;
  useSyncExternalStore(samples.subscribe, samples.revision);
  const { data: pins = [] } = useQuery(samplesQuery(at));
  const [editing, setEditing] = useState(false);
  const isPinned = pins.some(one => one.nodeId === nodeId);
  const entry = samples.output(nodeId);
  const kept = entry?.state === "ready" ? entry.value : undefined;
  const result = tested?.result;
  const output = result?.outcome === "completed" ? result.output : kept;
  const act = async (done: string, doing: Promise<void>) => {
    try {
      await doing;
      samples.forget(nodeId);
      toast.done(done);
    } catch (error) {
      toast.problem(problemOf(error));
    }
  };
  const from = result ? words.fromTest : isPinned ? words.fromPin : words.lastRun;
  const isLoading = !tested && entry?.state === "loading";
  return (
    <div className={styles.output}>
      <div className={styles.outputBar}>
        <span className={styles.quiet}>{output === undefined && !result ? "" : from}</span>
        {readOnly ? null : (
          <span className={styles.acts}>
            {isPinned ? (
              <Button
                size="small"
                icon={<PinOff size={14} aria-hidden />}
                onClick={() => void act(words.pinGone, unpinSample(at, nodeId))}
              >
                {words.unpin}
              </Button>
            ) : null}
            <Button size="small" icon={<Pencil size={14} aria-hidden />} onClick={() => setEditing(true)}>
              {words.editPin}
            </Button>
            {output !== undefined && (!isPinned || result) ? (
              <Button
                size="small"
                icon={<Pin size={14} aria-hidden />}
                onClick={() => void act(words.pinSaved, pinSample(at, nodeId, output))}
              >
                {words.pin}
              </Button>
            ) : null}
          </span>
        )}
      </div>
      {tested ? <TestResult tested={tested} /> : null}
      <div className={styles.outputBody}>
        {isLoading ? (
          <SkeletonRows rows={4} />
        ) : tested?.problem || (result && result.outcome !== "completed") ? null : output === undefined ? (
          <Empty title={words.noOutput} small>
            {words.noOutputDetail}
          </Empty>
        ) : (
          <JsonView value={output} root={`steps.${nodeId}`} name={`${nodeId}-output`} />
        )}
      </div>
      {editing ? (
        <PinDialog
          value={output}
          onPin={async value => {
            await pinSample(at, nodeId, value);
            samples.forget(nodeId);
            toast.done(words.pinSaved);
          }}
          onClose={() => setEditing(false)}
        />
      ) : null}
    </div>
  );
}
