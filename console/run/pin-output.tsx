import { Pin } from "lucide-react";
import { useState } from "react";
import { problemOf } from "../data/problem.ts";
import type { RunAddress, Step } from "../data/run-types.ts";
import { pinOutput } from "../data/step-values.ts";
import { values as words } from "../messages/en-values.ts";
import { IconButton } from "../ui/button.tsx";
import { toast } from "../ui/toast.tsx";

interface PinOutputProps {
  at: RunAddress;
  workflowId: string;
  step: Step;
}

/** Pins the output of a step as its sample, which the builder shows and uses in tests. */
export function PinOutput({ at, workflowId, step }: PinOutputProps) {
  const [busy, setBusy] = useState(false);
  const pin = async () => {
    setBusy(true);
    try {
      await pinOutput({ ...at, workflowId }, step.nodeId, at.id, step.path);
      toast.done(words.pinned(step.name));
    } catch (error) {
      toast.problem(problemOf(error));
    }
    setBusy(false);
  };
  return (
    <IconButton label={words.pin} title={words.pinLead} size="small" busy={busy} onClick={() => void pin()}>
      <Pin size={14} aria-hidden />
    </IconButton>
  );
}
