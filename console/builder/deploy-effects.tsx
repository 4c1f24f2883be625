import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { WorkflowAddress } from "../data/builder.ts";
import { changedToolsQuery } from "../data/changed-tools.ts";
import { callersQuery, triggersOfQuery } from "../data/triggers.ts";
import { words } from "../messages/en-builder.ts";
import styles from "./builder-parts.module.css";
import { dataOf, nameOf, readDefinition } from "./document/index.ts";

/** The most names of each kind that are shown. */
const SHOWN = 6;

interface Row {
  key: string;
  text: string;
  note: string | undefined;
}

function Rows({ title, rows }: { title: string; rows: readonly Row[] }) {
  if (rows.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3 className={styles.label}>{title}</h3>
      <ul className={styles.used}>
        {rows.slice(0, SHOWN).map(({ key, text, note }) => (
          <li key={key}>
            {text}
            {note === undefined ? null : <span className={styles.note}> {note}</span>}
          </li>
        ))}
        {rows.length > SHOWN ? <li>{words.usedMore(rows.length - SHOWN)}</li> : null}
      </ul>
    </section>
  );
}

/** The schedules, webhooks and workflows that will use the version. */
export function UsedBy({ at, title = words.usedBy }: { at: WorkflowAddress; title?: string }) {
  const { data: triggers } = useQuery(triggersOfQuery(at));
  const { data: callers = [] } = useQuery(callersQuery(at));
  const off = (enabled: boolean) => (enabled ? undefined : words.usedOff);
  const schedules = (triggers?.schedules ?? []).map(({ id, cronExpr, timezone, enabled }) => ({
    ...{ key: id, text: words.usedBySchedule(cronExpr, timezone), note: off(enabled) },
  }));
  const webhooks = (triggers?.webhooks ?? []).map(({ id, name, enabled }) => ({
    ...{ key: id, text: words.usedByWebhook(name), note: off(enabled) },
  }));
  const workflows = callers.map(({ workflowId, name, calls }) => {
    const isFixed = calls.every(({ version }) => typeof version === "number");
    return { key: workflowId, text: words.usedByWorkflow(name), note: isFixed ? words.usedFixed : undefined };
  });
  return <Rows title={title} rows={[...schedules, ...webhooks, ...workflows]} />;
}

/** The tools that the steps of a definition use, each with the name of such a step. */
function toolsIn(definition: unknown): ReadonlyMap<string, string> {
  const state = readDefinition(definition);
  const named = [...state.nodes].flatMap(([id, node]) => {
    const { toolId, toolIds } = dataOf(node);
    const ids = [toolId, ...(Array.isArray(toolIds) ? (toolIds as unknown[]) : [])];
    return ids.filter(one => typeof one === "string").map(one => [one, nameOf(state, id)] as const);
  });
  return new Map(named);
}

/** The tools of a version that were changed or removed since the workflow was last deployed. */
export function ChangedTools({ at, definition }: { at: WorkflowAddress; definition: unknown }) {
  const steps = useMemo(() => toolsIn(definition), [definition]);
  const { data = [] } = useQuery(changedToolsQuery(at, [...steps.keys()]));
  const rows = data.map(({ toolId, name, kind, fields }) => ({
    ...{ key: toolId, text: name ?? words.toolOfStep(steps.get(toolId) ?? toolId) },
    note: kind === "removed" ? words.toolRemoved : words.toolFields(fields),
  }));
  return <Rows title={words.toolsChanged} rows={rows} />;
}
