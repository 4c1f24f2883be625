import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { flowsQuery } from "../../data/pickable.ts";
import { settings as words } from "../../messages/en-settings.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import rows from "../../ui/rows.module.css";
import styles from "./settings.module.css";

const PLAIN = ["read", "approve", "signal"] as const;

interface ScopeChoiceProps {
  /** Null for everything that the role allows. */
  value: readonly string[] | null;
  onChange: (scopes: readonly string[] | null) => void;
  fault: string | undefined;
}

/** What a key may do: everything that its role allows, or only the selected actions. */
export function ScopeChoice({ value, onChange, fault }: ScopeChoiceProps) {
  const { id } = useWorkspace();
  const name = useId();
  const { data: flows = [] } = useQuery({ ...flowsQuery(id), enabled: value !== null });
  const chosen = new Set(value ?? []);
  const box = (scope: string, label: string, detail: string) => (
    <label key={scope} className={styles.scope}>
      <input
        type="checkbox"
        checked={chosen.has(scope)}
        onChange={({ target }) =>
          onChange(target.checked ? [...chosen, scope] : [...chosen].filter(one => one !== scope))
        }
      />
      <span className={styles.scopeText}>
        {label} <span className={rows.detail}>{detail}</span>
      </span>
    </label>
  );
  return (
    <fieldset className={styles.roles}>
      <legend>{words.keys.scopes}</legend>
      <label className={styles.scope}>
        <input type="radio" name={name} checked={value === null} onChange={() => onChange(null)} />
        <span className={rows.name}>{words.keys.allScopes}</span>
      </label>
      <label className={styles.scope}>
        <input type="radio" name={name} checked={value !== null} onChange={() => onChange([])} />
        <span className={rows.name}>{words.keys.someScopes}</span>
      </label>
      {value === null ? null : (
        <div className={styles.scopes}>
          {PLAIN.map(scope => box(scope, words.keys.scope[scope], words.keys.scopeDetail[scope]))}
          {flows.map(flow => box(`run:${flow.id}`, words.keys.runs(flow.name), ""))}
        </div>
      )}
      {fault ? (
        <p className={styles.bad} role="alert">
          {fault}
        </p>
      ) : null}
    </fieldset>
  );
}
