import { type SyntheticEvent, useState } from "react";
import type { Schedule } from "../../../sdk/definition.ts";
import { faultAt, problemOf } from "../../data/problem.ts";
import { useSaveSchedule } from "../../data/triggers.ts";
import { triggers as words } from "../../messages/en-triggers.ts";
import { m } from "../../messages/index.ts";
import { ownZone } from "../../messages/zone-time.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogFooter } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { ProblemNotice } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { cronOf, EMPTY, formOf } from "./cron-form.ts";
import { NextTimes, useNextTimes } from "./next-times.tsx";
import { RhythmFields } from "./rhythm-fields.tsx";
import { useInput } from "./use-input.tsx";
import { useWorkflowChoice } from "./use-workflow-choice.tsx";
import styles from "./schedules.module.css";

interface ScheduleDialogProps {
  open: boolean;
  /** The schedule to change. Undefined for a new one. */
  schedule: Schedule | undefined;
  /** The workflow that is selected first. */
  workflow: string | undefined;
  onClose: () => void;
}

type FormProps = Omit<ScheduleDialogProps, "open">;

function Form({ schedule, workflow, onClose }: FormProps) {
  const { id } = useWorkspace();
  const [form, setForm] = useState(() => (schedule ? formOf(schedule.cronExpr) : EMPTY));
  const [timezone, setTimezone] = useState(() => schedule?.timezone ?? ownZone);
  const [tried, setTried] = useState(false);
  const { chosen, field } = useWorkflowChoice(workflow, tried);
  const save = useSaveSchedule(id, schedule);
  const { error } = save;
  const cronExpr = cronOf(form);
  const started = schedule ? { id: schedule.workflowId, spaceId: schedule.spaceId } : chosen;
  const { given, part } = useInput(id, started, schedule?.input, tried);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    setTried(true);
    if (!given || !started) return;
    save.mutate(
      { workflowId: started.id, spaceId: started.spaceId, cronExpr, timezone, input: given.value },
      {
        onSuccess: () => {
          toast.done(words.schedules.saved);
          onClose();
        },
      },
    );
  };
  const next = useNextTimes(cronExpr, timezone);
  const faults = {
    cron: next.faults.cron ?? faultAt(error, "/cronExpr"),
    zone: next.faults.zone ?? faultAt(error, "/timezone"),
  };
  // Only the field of the cron expression can show what is wrong with it.
  const isTold = faults.zone !== undefined || (faults.cron !== undefined && form.rhythm === "custom");
  return (
    <form className={styles.form} onSubmit={submit}>
      {error && !isTold ? <ProblemNotice problem={problemOf(error)} /> : null}
      {schedule ? null : field}
      <RhythmFields form={form} onChange={setForm} fault={faults.cron} />
      <TextField
        label={words.schedules.timezone}
        hint={words.schedules.timezoneHint}
        error={faults.zone}
        required
        spellCheck={false}
        value={timezone}
        onChange={event => setTimezone(event.target.value)}
      />
      <section className={styles.preview} aria-live="polite">
        <h3>{words.schedules.nextTimes}</h3>
        <NextTimes next={next.next} problem={isTold ? undefined : next.problem} />
      </section>
      {part}
      <DialogFooter>
        <Button onClick={onClose}>{m.cancel}</Button>
        <Button type="submit" tone="primary" busy={save.isPending}>
          {words.schedules.save}
        </Button>
      </DialogFooter>
    </form>
  );
}

/** Creates a schedule, or changes one. */
export function ScheduleDialog({ open, ...form }: ScheduleDialogProps) {
  const { schedule, onClose } = form;
  return (
    <Dialog open={open} onClose={onClose} title={schedule ? words.schedules.editTitle : words.schedules.makeTitle}>
      {open ? <Form key={schedule?.id} {...form} /> : null}
    </Dialog>
  );
}
