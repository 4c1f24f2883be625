import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import {
  type FlowAddress,
  previewTexts,
  readSample,
  runInput,
  runOutput,
  samplesQuery,
} from "../../data/step-values.ts";
import type { ChosenSample } from "../../data/run-types.ts";
import { queryClient } from "../../data/query-client.ts";
import { exampleOf } from "../../data/workflows.ts";
import { useBuilder } from "../builder-context.tsx";
import type { BuilderDocument } from "../document/index.ts";
import { PreviewStore } from "./preview-store.ts";
import { SampleStore } from "./sample-store.ts";
import { mapsAround } from "./scope.ts";

/** The run and items whose values the user chose to see. It applies to every step of the document. */
interface Choice {
  executionId: string | undefined;
  /** The index of the item, by map. */
  items: Readonly<Record<string, number>>;
}

const choices = new WeakMap<BuilderDocument, Choice>();
const NO_CHOICE: Choice = { executionId: undefined, items: {} };

/** The names of the scope besides `input` and `steps`. */
const OTHERS = ["item", "index", "loop", "execution", "workflow", "trigger", "vars"];

function sourceOf(at: FlowAddress, chosen: ChosenSample, nodeId: string) {
  const { executionId } = chosen;
  const pinned = async () => new Set((await queryClient.ensureQueryData(samplesQuery(at))).map(one => one.nodeId));
  return {
    input: (signal: AbortSignal) =>
      executionId === undefined ? Promise.resolve(chosen.example()) : runInput(at, executionId, signal),
    async output(id: string, signal: AbortSignal) {
      return (await pinned()).has(id) ? readSample(at, id, signal) : runOutput(at, chosen, id, signal);
    },
    async others(signal: AbortSignal) {
      const texts = Object.fromEntries(OTHERS.map(name => [name, `{{ ${name} }}`]));
      const found = await previewTexts(at, nodeId, chosen, texts, signal);
      return Object.fromEntries(
        found.filter(({ value, truncated }) => value !== null && !truncated).map(one => [one.pointer, one.value]),
      );
    },
  };
}

/** The sample of a step: the choice of run and items, and the stores with their values. */
export function useStepSample(nodeId: string) {
  const { doc, workspaceId, spaceId, workflowId, executionId: lastRun } = useBuilder();
  const [choice, setChoice] = useState(() => choices.get(doc) ?? NO_CHOICE);
  const maps = useSyncExternalStore(doc.subscribe, () => mapsAround(doc.getState(), nodeId).join("\0"));
  const executionId = choice.executionId ?? lastRun;
  const at = useMemo(() => ({ workspaceId, spaceId, workflowId }), [workspaceId, spaceId, workflowId]);
  const around = maps === "" ? [] : maps.split("\0");
  // A string, so that an equal choice does not count as a change.
  const key = JSON.stringify({ executionId, path: around.map(id => ({ nodeId: id, index: choice.items[id] ?? 0 })) });
  const chosen = useMemo((): ChosenSample => {
    const { executionId: run, path } = JSON.parse(key) as ChosenSample;
    return { executionId: run, path, example: () => exampleOf({ definition: doc.toDefinition() }) };
  }, [doc, key]);
  const stores = useMemo(
    () => ({
      samples: new SampleStore(sourceOf(at, chosen, nodeId)),
      previews: new PreviewStore((texts, signal) => previewTexts(at, nodeId, chosen, texts, signal)),
    }),
    [at, chosen, nodeId],
  );
  useEffect(() => {
    stores.samples.open();
    return () => {
      stores.samples.close();
      stores.previews.close();
    };
  }, [stores]);
  const choose = (change: Partial<Choice>) => {
    const next = { ...choice, ...change };
    choices.set(doc, next);
    setChoice(next);
  };
  return {
    at,
    chosen,
    ...stores,
    chooseRun: (id: string) => choose({ executionId: id }),
    chooseItem: (mapId: string, index: number) => choose({ items: { ...choice.items, [mapId]: index } }),
  };
}

export type StepSample = ReturnType<typeof useStepSample>;
