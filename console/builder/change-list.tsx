import type { WorkflowDiff } from "../../sdk/definition.ts";
import { words } from "../messages/en-builder.ts";
import styles from "./builder-parts.module.css";

interface Named {
  id?: string;
  name?: string;
}
const titleOf = (node: unknown) => (node as Named).name ?? (node as Named).id ?? "";

/** What differs between two versions, step by step. */
export function ChangeList({ diff, names }: { diff: WorkflowDiff; names?: ReadonlyMap<string, string> }) {
  const { nodes, edges, settings, definition, name } = diff;
  const rows = [
    ...nodes.added.map(node => ({ mark: "added" as const, title: titleOf(node), fields: "" })),
    ...nodes.removed.map(node => ({ mark: "removed" as const, title: titleOf(node), fields: "" })),
    ...nodes.changed.map(({ id, changes }) => {
      const fields = [...new Set(changes.map(({ path }) => path.split("/").slice(1, 3).join(".")))].join(", ");
      return { mark: "changed" as const, title: names?.get(id) ?? id, fields };
    }),
  ];
  const connections = words.connections(edges.added.length, edges.removed.length);
  const others = [
    connections,
    settings.length > 0 && words.settingsChanged,
    definition.length > 0 && words.restChanged,
    name && `${name.from} → ${name.to}`,
  ].filter(text => typeof text === "string" && text !== "");
  if (rows.length === 0 && others.length === 0) return <p>{words.noChanges}</p>;
  return (
    <ul className={styles.changes}>
      {rows.map(({ mark, title, fields }, n) => (
        <li key={n} className={styles.change}>
          <span className={styles.mark} data-mark={mark}>
            {words.changes[mark]}
          </span>
          <span>{title}</span>
          <span className={styles.fields}>{fields}</span>
        </li>
      ))}
      {others.map(text => (
        <li key={String(text)} className={styles.change}>
          <span className={styles.mark} data-mark="changed">
            {words.changes.changed}
          </span>
          <span>{text}</span>
        </li>
      ))}
    </ul>
  );
}
