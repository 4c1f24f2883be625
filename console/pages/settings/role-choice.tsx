import { useId } from "react";
import type { Role } from "../../data/settings.ts";
import { settings as words } from "../../messages/en-settings.ts";
import { m } from "../../messages/index.ts";
import rows from "../../ui/rows.module.css";
import styles from "./settings.module.css";

const GIVEN: readonly Role[] = ["viewer", "editor", "admin"];

/** A choice of roles, each with a description of what it may do. */
export function RoleChoice({ value, onChange }: { value: Role; onChange: (role: Role) => void }) {
  const name = useId();
  return (
    <fieldset className={styles.roles}>
      <legend>{words.members.role}</legend>
      {GIVEN.map(role => (
        <label key={role} className={styles.choice}>
          <input type="radio" name={name} value={role} checked={role === value} onChange={() => onChange(role)} />
          <span className={rows.name}>{m.role[role]}</span>
          <span className={rows.detail}>{words.members.may[role]}</span>
        </label>
      ))}
    </fieldset>
  );
}
