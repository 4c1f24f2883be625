import { words } from "../../messages/en-memory.ts";
import { Chip } from "../../ui/chip.tsx";
import { Select } from "../../ui/select.tsx";
import styles from "./memory.module.css";
import type { MemorySearch } from "./search.ts";

const ALL = "all";

interface FiltersProps {
  given: MemorySearch;
  search: (change: MemorySearch) => void;
}

/** Filters by kind, scope and time. */
export function Filters({ given: { scope, kind, superseded, asOf }, search }: FiltersProps) {
  return (
    <div className={styles.filters}>
      <Select
        label={words.kind}
        value={kind ?? ALL}
        options={[
          { value: ALL, label: words.allKinds },
          ...Object.entries(words.kinds).map(([value, label]) => ({ value, label })),
        ]}
        onChange={next => search({ kind: next === ALL ? undefined : next })}
      />
      <Select
        label={words.scope}
        value={scope ?? ALL}
        options={[
          { value: ALL, label: words.allScopes },
          ...(["user", "thread", "workflow"] as const).map(value => ({ value, label: words.scopes[value] })),
        ]}
        onChange={next => search({ scope: next === ALL ? undefined : next })}
      />
      <Chip
        on={superseded === "yes" && asOf === undefined}
        onToggle={() => search({ superseded: superseded ? undefined : "yes", asOf: undefined })}
      >
        {words.superseded}
      </Chip>
    </div>
  );
}
