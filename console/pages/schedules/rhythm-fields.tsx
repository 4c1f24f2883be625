import { triggers as words } from "../../messages/en-triggers.ts";
import { TextField } from "../../ui/field.tsx";
import { Select } from "../../ui/select.tsx";
import { type CronForm, cronOf, EVERY_MINUTES, RHYTHMS } from "./cron-form.ts";
import styles from "./schedules.module.css";

interface RhythmFieldsProps {
  form: CronForm;
  onChange: (form: CronForm) => void;
  /** The service's message about the expression. */
  fault: string | undefined;
}

const timed = new Set(["days", "weekdays", "weeks", "months"]);

/** Fields for how often and when a schedule runs, or for the cron expression itself. */
export function RhythmFields({ form, onChange, fault }: RhythmFieldsProps) {
  const set = (change: Partial<CronForm>) => onChange({ ...form, ...change });
  const { rhythm } = form;
  return (
    <div className={styles.rhythm}>
      <Select
        label={words.schedules.rhythm}
        value={rhythm}
        options={RHYTHMS.map(value => ({ value, label: words.schedules.rhythms[value] }))}
        // The cron expression starts with the current choice.
        onChange={next => set({ rhythm: next, text: cronOf(form) })}
      />
      {rhythm === "minutes" ? (
        <Select
          label={words.schedules.every}
          value={String(form.every)}
          options={EVERY_MINUTES.map(n => ({ value: String(n), label: words.schedules.everyMinutes(n) }))}
          onChange={every => set({ every: Number(every) })}
        />
      ) : null}
      {rhythm === "weeks" ? (
        <Select
          label={words.schedules.weekday}
          value={String(form.weekday)}
          options={words.schedules.weekdays.map((label, n) => ({ value: String(n), label }))}
          onChange={weekday => set({ weekday: Number(weekday) })}
        />
      ) : null}
      {rhythm === "months" ? (
        <TextField
          label={words.schedules.day}
          type="number"
          min={1}
          max={31}
          required
          value={form.day}
          onChange={event => set({ day: Number(event.target.value) })}
        />
      ) : null}
      {timed.has(rhythm) ? (
        <TextField
          label={words.schedules.at}
          type="time"
          required
          value={form.time}
          onChange={event => set({ time: event.target.value })}
        />
      ) : null}
      {rhythm === "hours" ? (
        <TextField
          label={words.schedules.minute}
          type="number"
          min={0}
          max={59}
          required
          value={Number(form.time.split(":")[1])}
          onChange={event => set({ time: `00:${event.target.value.padStart(2, "0")}` })}
        />
      ) : null}
      {rhythm === "custom" ? (
        <TextField
          label={words.schedules.cron}
          hint={words.schedules.cronHint}
          error={fault}
          required
          spellCheck={false}
          autoComplete="off"
          value={form.text}
          onChange={event => set({ text: event.target.value })}
        />
      ) : null}
    </div>
  );
}
