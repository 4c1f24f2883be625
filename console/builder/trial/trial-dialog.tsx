import { useMutation } from "@tanstack/react-query";
import { type SyntheticEvent, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { WorkflowAddress } from "../../data/builder.ts";
import { problemOf } from "../../data/problem.ts";
import { type TestRun, type TrialCalls, tryWorkflow } from "../../data/trial.ts";
import { exampleOf } from "../../data/workflows.ts";
import { m } from "../../messages/index.ts";
import { words } from "../../messages/en-trial.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextArea } from "../../ui/field.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { type Option, Select } from "../../ui/select.tsx";
import { Failure } from "../../ui/states.tsx";
import { Switch } from "../../ui/switch.tsx";
import { isStray, nameOf } from "../document/index.ts";
import type { Scene } from "../scene.ts";
import { MockRows } from "./mock-rows.tsx";
import { newMock, rememberedForm, rememberForm, type TrialForm, trialRequestOf } from "./trial.ts";
import { TrialResult } from "./trial-result.tsx";
import styles from "./trial.module.css";

const CALLS = (["mocked", "none", "real"] as const).map(value => ({ value, label: words.call[value] }));
const NONE = "";
const NOTHING_WRONG: ReadonlySet<"input" | number> = new Set();

interface TrialDialogProps {
  at: WorkflowAddress;
  scene: Scene;
  /** Shows the results of the steps on the canvas. */
  onResult: (result: TestRun) => void;
  onClose: () => void;
}

/** Runs the edited workflow without saving it. Mocks and pinned samples replace steps, and nothing is stored. */
export function TrialDialog({ at, scene, onResult, onClose }: TrialDialogProps) {
  const { doc } = scene;
  const [form, setForm] = useState<TrialForm>(() => {
    const example = exampleOf({ definition: doc.toDefinition() });
    const input = example === undefined ? "" : JSON.stringify(example, null, 2);
    return rememberedForm(doc) ?? { input, calls: "mocked", samples: true, from: NONE, until: NONE, mocks: [] };
  });
  const [wrong, setWrong] = useState(NOTHING_WRONG);
  const fields = useRef<HTMLFormElement>(null);
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);
  const change = (next: Partial<TrialForm>) => {
    const all = { ...form, ...next };
    setForm(all);
    rememberForm(doc, all);
  };
  const trial = useMutation({
    mutationFn: (given: Parameters<typeof tryWorkflow>[2]) => {
      stop.current = new AbortController();
      return tryWorkflow(at, doc.toDefinition(), given, stop.current.signal);
    },
    onSuccess: onResult,
    meta: { shown: true },
  });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const given = trialRequestOf(form);
    setWrong("wrong" in given ? given.wrong : NOTHING_WRONG);
    if (!("wrong" in given)) trial.mutate(given);
  };
  const addMock = (nodeId: string) => {
    const has = form.mocks.some(mock => mock.nodeId === nodeId);
    const mocks = has ? form.mocks : [...form.mocks, newMock(nodeId)];
    flushSync(() => change({ mocks }));
    const place = mocks.findIndex(mock => mock.nodeId === nodeId);
    const field = fields.current?.querySelectorAll<HTMLTextAreaElement>("[data-mock] textarea")[place];
    field?.focus();
    field?.select();
  };
  const state = doc.getState();
  const steps: Option<string>[] = [...state.nodes.keys()]
    .filter(id => !isStray(id))
    .map(id => ({ value: id, label: nameOf(state, id) }));
  const tops = (text: string) => [{ value: NONE, label: text }, ...steps];
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={words.title}
      description={words.lead}
      actions={
        <>
          <Button onClick={onClose}>{m.close}</Button>
          <Button tone="primary" type="submit" form="trial" busy={trial.isPending}>
            {words.run}
          </Button>
        </>
      }
    >
      <form ref={fields} id="trial" className={styles.form} onSubmit={submit}>
        <TextArea
          code
          label={words.input}
          error={wrong.has("input") ? words.notJson : undefined}
          rows={Math.min(10, Math.max(3, form.input.split("\n").length))}
          spellCheck={false}
          value={form.input}
          onChange={event => change({ input: event.target.value })}
        />
        <Segmented<TrialCalls>
          label={words.calls}
          hint={words.callHint[form.calls]}
          value={form.calls}
          options={CALLS}
          onChange={calls => change({ calls })}
        />
        <div className={styles.samples}>
          <Switch label={words.samples} checked={form.samples} onChange={samples => change({ samples })} />
          <span>{words.samples}</span>
        </div>
        <div className={styles.range}>
          <Select
            label={words.from}
            value={form.from}
            options={tops(words.fromStart)}
            onChange={from => change({ from })}
          />
          <Select
            label={words.until}
            value={form.until}
            options={tops(words.untilEnd)}
            onChange={until => change({ until })}
          />
        </div>
        <MockRows rows={form.mocks} steps={steps} wrong={wrong} onChange={mocks => change({ mocks })} />
      </form>
      {trial.error ? <Failure problem={problemOf(trial.error)} small /> : null}
      {trial.data ? (
        <TrialResult result={trial.data} nameOf={id => nameOf(doc.getState(), id)} onMock={addMock} />
      ) : null}
    </Dialog>
  );
}
