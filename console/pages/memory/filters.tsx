import { useQuery } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { useMe } from "../../data/session.ts";
import { membersQuery } from "../../data/workspaces.ts";
import { words } from "../../messages/en-memory.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { TextField } from "../../ui/field.tsx";
import { Select } from "../../ui/select.tsx";
import styles from "./memory.module.css";
import type { MemorySearch } from "./search.ts";

const OTHER = "other";
const ALL = "all";

interface FiltersProps {
  given: MemorySearch;
  search: (change: MemorySearch) => void;
}

/** Whom the memories are about, of which kind they are, and where they hold. */
export function Filters({ given: { who, scope, kind, superseded, asOf }, search }: FiltersProps) {
  const { id: workspaceId } = useWorkspace();
  const { id: myId } = useMe();
  const { data: members = [] } = useQuery(membersQuery(workspaceId));
  const isMember = who === undefined || members.length === 0 || members.some(({ userId }) => userId === who);
  const [asksOther, setAsksOther] = useState(false);
  const [typed, setTyped] = useState("");
  const others = members.filter(({ userId }) => userId !== myId);
  const people = [
    { value: myId, label: words.you },
    ...others.map(({ userId, name, email }) => ({ value: userId, label: name ?? email ?? userId })),
    ...(isMember ? [] : [{ value: who, label: who }]),
    { value: OTHER, label: words.other },
  ];
  const chosen = asksOther ? OTHER : (who ?? myId);
  const choose = (next: string) => {
    setAsksOther(next === OTHER);
    if (next !== OTHER) search({ who: next === myId ? undefined : next, m: undefined });
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (typed.trim() === "") return;
    search({ who: typed.trim(), m: undefined });
    setAsksOther(false);
  };
  return (
    <>
      <div className={styles.filters}>
        <Select label={words.about} value={chosen} options={people} onChange={choose} />
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
      {asksOther ? (
        <form className={styles.other} onSubmit={submit}>
          <TextField
            label={words.otherId}
            hint={words.otherHint}
            required
            maxLength={200}
            autoComplete="off"
            value={typed}
            onChange={event => setTyped(event.target.value)}
          />
          <Button type="submit">{words.show}</Button>
        </form>
      ) : null}
    </>
  );
}
