import { useQuery } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { isRunId } from "../../data/paths.ts";
import { isLabel, type RunFilters, type Start, STARTS } from "../../data/runs.ts";
import { spacesQuery } from "../../data/spaces.ts";
import { useMemberNames } from "../../data/workspaces.ts";
import { words } from "../../messages/en-run-filters.ts";
import { m } from "../../messages/index.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import form from "../../ui/form.module.css";
import { Select } from "../../ui/select.tsx";
import styles from "./filter-dialog.module.css";

interface FilterDialogProps {
  workspaceId: string;
  filters: RunFilters;
  onChange: (change: RunFilters) => void;
  onClose: () => void;
}

const ANY = "any";
const SECOND_MS = 1_000;

const given = (text: string) => text.trim() || undefined;

/** The filters that have no control above the list. */
export function FilterDialog({ workspaceId, filters, onChange, onClose }: FilterDialogProps) {
  const { data: spaces = [] } = useQuery(spacesQuery(workspaceId));
  const names = useMemberNames(workspaceId);
  const [space, setSpace] = useState(filters.space ?? ANY);
  const [by, setBy] = useState(filters.by ?? ANY);
  const [trigger, setTrigger] = useState<Start | typeof ANY>(filters.trigger ?? ANY);
  const [text, setText] = useState({
    key: filters.key ?? "",
    label: filters.label ?? "",
    error: filters.error ?? "",
    longer: filters.longer === undefined ? "" : String(filters.longer / SECOND_MS),
    parent: filters.parent ?? "",
    since: filters.since ?? filters.day ?? "",
    until: filters.until ?? filters.day ?? "",
  });
  const [sent, setSent] = useState(false);
  const seconds = Number(text.longer);
  const faults = {
    label: given(text.label) !== undefined && !isLabel(text.label.trim()) ? words.labelFault : undefined,
    longer: given(text.longer) !== undefined && !(seconds > 0) ? words.longerFault : undefined,
    parent: given(text.parent) !== undefined && !isRunId(text.parent.trim()) ? words.parentFault : undefined,
    until: text.since !== "" && text.until !== "" && text.until < text.since ? words.daysFault : undefined,
  };
  const any = { value: ANY, label: words.any } as const;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    setSent(true);
    if (Object.values(faults).some(Boolean)) return;
    onChange({
      space: space === ANY ? undefined : space,
      by: by === ANY ? undefined : by,
      trigger: trigger === ANY ? undefined : trigger,
      key: given(text.key),
      label: given(text.label),
      error: given(text.error),
      longer: given(text.longer) === undefined ? undefined : Math.round(seconds * SECOND_MS),
      parent: given(text.parent),
      // A period of one day is stored as a day, as a press on its bar does.
      day: text.since !== "" && text.since === text.until ? text.since : undefined,
      since: text.since === text.until ? undefined : given(text.since),
      until: text.since === text.until ? undefined : given(text.until),
    });
    onClose();
  };
  const field = (
    name: keyof typeof text,
    label: string,
    more: { hint?: string; error?: string | undefined; type?: "date" } = {},
  ) => (
    <TextField
      label={label}
      value={text[name]}
      type={more.type}
      autoComplete="off"
      maxLength={300}
      onChange={event => setText({ ...text, [name]: event.target.value })}
      hint={more.hint}
      error={sent ? more.error : undefined}
    />
  );
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.title}
      actions={
        <>
          <Button onClick={onClose}>{m.cancel}</Button>
          <Button tone="primary" type="submit" form="filter-runs">
            {words.apply}
          </Button>
        </>
      }
    >
      <form id="filter-runs" onSubmit={submit} className={`${form.form} ${styles.fields}`}>
        {field("key", m.runs.filters.key)}
        {field("label", m.runs.filters.label, { hint: words.labelHint, error: faults.label })}
        <Select
          label={m.runs.filters.space}
          value={space}
          options={[any, ...spaces.map(({ id, name }) => ({ value: id, label: name }))]}
          onChange={setSpace}
        />
        <Select
          label={m.runs.filters.by}
          value={by}
          options={[any, ...[...names].map(([value, label]) => ({ value, label }))]}
          onChange={setBy}
        />
        <Select<Start | typeof ANY>
          label={m.runs.trigger}
          value={trigger}
          options={[any, ...STARTS.map(value => ({ value, label: m.runs.triggers[value] }))]}
          onChange={setTrigger}
        />
        {field("longer", m.runs.filters.longer, { hint: words.longerHint, error: faults.longer })}
        {field("since", m.runs.filters.since, { type: "date", hint: words.daysHint })}
        {field("until", m.runs.filters.until, { type: "date", hint: words.daysHint, error: faults.until })}
        {field("error", m.runs.filters.error, { hint: words.errorHint })}
        {field("parent", m.runs.filters.parent, { hint: words.parentHint, error: faults.parent })}
      </form>
    </Dialog>
  );
}
