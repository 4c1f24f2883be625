import { useQuery } from "@tanstack/react-query";
import { Trash2, UsersRound } from "lucide-react";
import { type SyntheticEvent, useState } from "react";
import type { GroupRole } from "../../../sdk/definition.ts";
import { faultsIn, problemOf } from "../../data/problem.ts";
import { groupRolesQuery, useSetGroups } from "../../data/providers.ts";
import { providers as words } from "../../messages/en-providers.ts";
import { m } from "../../messages/index.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Card } from "../../ui/page.tsx";
import rows from "../../ui/rows.module.css";
import { Select } from "../../ui/select.tsx";
import { Empty, Failure } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import styles from "./groups.module.css";
import settings from "./settings.module.css";

const ROLES: readonly GroupRole["role"][] = ["viewer", "editor", "admin"];

/** The groups of sign-in providers that give a role. Shown if the installation has providers. */
export function GroupsCard() {
  const { id } = useWorkspace();
  const { data, error, refetch } = useQuery(groupRolesQuery(id));
  const set = useSetGroups(id);
  const [group, setGroup] = useState("");
  const [chosen, setChosen] = useState<string>();
  const [role, setRole] = useState<GroupRole["role"]>("viewer");
  if (error && !data) {
    return (
      <Card flush title={words.groupsTitle}>
        <Failure small problem={problemOf(error)} onRetry={() => void refetch()} />
      </Card>
    );
  }
  if (!data || (data.providers.length === 0 && data.groups.length === 0)) return null;
  const { providers, groups } = data;
  const nameOf = (provider: string) => providers.find(one => one.id === provider)?.name ?? provider;
  const provider = chosen ?? providers[0]?.id;
  const add = (event: SyntheticEvent) => {
    event.preventDefault();
    if (provider === undefined) return;
    const added = () => {
      toast.done(words.groupAdded(group.trim()));
      setGroup("");
    };
    set.mutate([...groups, { provider, group: group.trim(), role }], { onSuccess: added });
  };
  const remove = (gone: GroupRole) => {
    const removed = () => toast.done(words.groupRemoved(gone.group));
    set.mutate(
      groups.filter(one => one !== gone),
      { onSuccess: removed },
    );
  };
  const fault = set.error ? (faultsIn(set.error)[0]?.message ?? problemOf(set.error).title) : undefined;
  return (
    <Card flush title={words.groupsTitle} lead={words.groupsLead}>
      {groups.length === 0 ? <Empty small title={words.groupsEmpty} /> : null}
      <ul>
        {groups.map(one => (
          <li key={`${one.provider} ${one.group}`} className={rows.row}>
            <UsersRound size={16} className={settings.icon} aria-hidden />
            <div className={rows.text}>
              <span className={rows.name}>{one.group}</span>
              <span className={rows.detail}>{nameOf(one.provider)}</span>
            </div>
            <span className={settings.fixed}>{m.role[one.role]}</span>
            <IconButton size="small" label={words.removeGroup(one.group)} onClick={() => remove(one)}>
              <Trash2 size={16} aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
      {provider === undefined ? null : (
        <form className={styles.add} onSubmit={add}>
          <Select
            label={words.provider}
            value={provider}
            options={providers.map(({ id: value, name }) => ({ value, label: name }))}
            onChange={setChosen}
          />
          <TextField
            label={words.group}
            required
            maxLength={300}
            autoComplete="off"
            value={group}
            error={fault}
            onChange={event => setGroup(event.target.value)}
          />
          <Select
            label={words.role}
            value={role}
            options={ROLES.map(value => ({ value, label: m.role[value] }))}
            onChange={setRole}
          />
          <Button type="submit" busy={set.isPending}>
            {words.add}
          </Button>
        </form>
      )}
    </Card>
  );
}
