import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Braces, Ellipsis, Plus } from "lucide-react";
import { useState } from "react";
import { spacesQuery } from "../../data/spaces.ts";
import { useChangeVariables, variablesQuery } from "../../data/variables.ts";
import { words } from "../../messages/en-variables.ts";
import { Confirm } from "../../shell/confirm.tsx";
import { QueryList } from "../../shell/query-list.tsx";
import { RoleButton } from "../../shell/role-button.tsx";
import { includesRole, useWorkspace } from "../../shell/workspace.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu.tsx";
import { Card } from "../../ui/page.tsx";
import rows from "../../ui/rows.module.css";
import { Select } from "../../ui/select.tsx";
import { Empty } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import styles from "./variables.module.css";
import { type Edited, VariableDialog } from "./variable-dialog.tsx";

const WHOLE = "workspace";
const SHOWN = 200;

interface Variable {
  name: string;
  value: unknown;
  /** `own`: set here. `inherited`: set in the workspace. `replaces`: set here, and overrides the workspace's value. */
  from: "own" | "inherited" | "replaces";
}

function listOf(values: Record<string, unknown>, inherited: Record<string, unknown>): Variable[] {
  const own = Object.entries(values).map(([name, value]): Variable => ({
    name,
    value,
    from: Object.hasOwn(inherited, name) ? "replaces" : "own",
  }));
  const others = Object.entries(inherited)
    .filter(([name]) => !Object.hasOwn(values, name))
    .map(([name, value]): Variable => ({ name, value, from: "inherited" }));
  return [...own, ...others].toSorted((a, b) => a.name.localeCompare(b.name));
}

function Row({ variable, onEdit, onRemove }: { variable: Variable; onEdit: () => void; onRemove: () => void }) {
  const { role } = useWorkspace();
  const { name, value, from } = variable;
  const mayEdit = includesRole(role, "editor");
  return (
    <li className={rows.row} data-off={from === "inherited" || undefined}>
      <Braces size={16} aria-hidden />
      <div className={rows.text}>
        <code className={styles.name}>{name}</code>
        <span className={rows.detail}>
          <code>{JSON.stringify(value).slice(0, SHOWN)}</code>
          {from === "own" ? "" : ` · ${words[from]}`}
        </span>
      </div>
      {mayEdit && from === "inherited" ? (
        <Button size="small" onClick={onEdit}>
          {words.replace}
        </Button>
      ) : null}
      {mayEdit && from !== "inherited" ? (
        <Menu
          align="end"
          trigger={
            <IconButton size="small" label={words.more(name)}>
              <Ellipsis size={16} aria-hidden />
            </IconButton>
          }
        >
          <MenuItem onSelect={onEdit}>{words.edit}</MenuItem>
          <MenuSeparator />
          <MenuItem danger onSelect={onRemove}>
            {words.remove}
          </MenuItem>
        </Menu>
      ) : null}
    </li>
  );
}

/** The variables of the workspace, and those with which a space overrides them. */
export function VariablesSection() {
  const { id: workspaceId, slug: w } = useWorkspace();
  const { space } = useSearch({ from: "/authed/w/$w/settings/$tab" });
  const navigate = useNavigate();
  const { data: spaces = [] } = useQuery(spacesQuery(workspaceId));
  const query = useQuery(variablesQuery(workspaceId, space));
  const change = useChangeVariables(workspaceId, space);
  const [edited, setEdited] = useState<Edited>();
  const [removing, setRemoving] = useState<string>();
  const list = query.data && listOf(query.data.values, query.data.inherited);
  const choose = (next: string) =>
    void navigate({
      to: "/w/$w/settings/$tab",
      params: { w, tab: "variables" },
      search: { space: next === WHOLE ? undefined : next },
    });
  const remove = (name: string) =>
    change.mutateAsync({ remove: [name] }, { onSuccess: () => toast.done(words.removed(name)) });
  const add = (
    <RoleButton
      least="editor"
      tone="primary"
      icon={<Plus size={14} aria-hidden />}
      disabled={!list}
      onClick={() => setEdited({})}
    >
      {words.add}
    </RoleButton>
  );
  return (
    <>
      <Card flush title={words.title} lead={words.lead} aside={list?.length === 0 ? null : add}>
        <div className={styles.of}>
          <Select
            label={words.of}
            value={space ?? WHOLE}
            options={[
              { value: WHOLE, label: words.workspace },
              ...spaces.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            onChange={choose}
          />
        </div>
        <QueryList
          small
          query={{ ...query, data: list }}
          empty={
            <Empty
              small
              icon={<Braces size={20} aria-hidden />}
              title={space === undefined ? words.empty : words.emptySpace}
              action={add}
            >
              {space === undefined ? words.emptyDetail : words.emptySpaceDetail}
            </Empty>
          }
        >
          {variable => (
            <Row
              key={variable.name}
              variable={variable}
              onEdit={() => setEdited(variable)}
              onRemove={() => setRemoving(variable.name)}
            />
          )}
        </QueryList>
      </Card>
      {edited ? (
        <VariableDialog
          edited={edited}
          spaceId={space}
          taken={Object.keys(query.data?.values ?? {})}
          onClose={() => setEdited(undefined)}
        />
      ) : null}
      <Confirm
        open={removing !== undefined}
        onClose={() => setRemoving(undefined)}
        title={words.removeTitle(removing ?? "")}
        confirm={words.remove}
        onConfirm={() => (removing === undefined ? undefined : remove(removing))}
      >
        {space === undefined ? words.removeDetail : words.removeOfSpace}
      </Confirm>
    </>
  );
}
