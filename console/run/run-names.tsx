import type { Execution } from "../../sdk/definition.ts";
import { runTexts } from "../messages/en-run.ts";

/** The key, labels and note of a run, by which people find it. */
export function RunNames({ run: { key, labels = {}, note } }: { run: Pick<Execution, "key" | "labels" | "note"> }) {
  const all = Object.entries(labels).map(([name, value]) => `${name}=${value}`);
  const facts = [
    [runTexts.run.key, key],
    [runTexts.run.labels, all.length > 0 ? all.join(", ") : undefined],
    [runTexts.run.note, note],
  ] as const;
  return facts.map(([name, text]) =>
    text === undefined || text === "" ? null : (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{text}</dd>
      </div>
    ),
  );
}
