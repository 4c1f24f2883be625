import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Bookmark, BookmarkPlus, ChevronDown, Trash2 } from "lucide-react";
import { type SyntheticEvent, useState } from "react";
import { problemOf } from "../../data/problem.ts";
import type { RunFilters } from "../../data/runs.ts";
import { type SavedView, useDeleteView, useSaveView, viewsQuery } from "../../data/views.ts";
import { m } from "../../messages/index.ts";
import { stringifySearch } from "../../search.ts";
import { includesRole, useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Menu, MenuChoice, MenuGroup, MenuItem, MenuSeparator } from "../../ui/menu.tsx";
import { toast } from "../../ui/toast.tsx";
import styles from "./views-menu.module.css";

const PAGE = "runs";

/** The same filters in the same order, so that a view is recognised however it was reached. */
const textOf = (query: string) => new URLSearchParams([...new URLSearchParams(query)].toSorted()).toString();

function SaveView({ query, onClose }: { query: string; onClose: () => void }) {
  const { id, role } = useWorkspace();
  const [name, setName] = useState("");
  const [shared, setShared] = useState(false);
  const save = useSaveView(id);
  const canShare = includesRole(role, "editor");
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    save.mutate(
      { name: name.trim(), page: PAGE, query, shared },
      {
        onSuccess() {
          toast.done(m.saved);
          onClose();
        },
      },
    );
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={m.views.saveTitle}
      actions={
        <>
          <Button onClick={onClose}>{m.cancel}</Button>
          <Button tone="primary" type="submit" form="save-view" busy={save.isPending} disabled={!name.trim()}>
            {m.save}
          </Button>
        </>
      }
    >
      <form id="save-view" onSubmit={submit} className={styles.form}>
        <TextField
          label={m.views.name}
          value={name}
          maxLength={80}
          autoComplete="off"
          onChange={event => setName(event.target.value)}
          error={save.error ? problemOf(save.error).detail : undefined}
        />
        <label className={styles.share} title={canShare ? undefined : m.needsRole(m.role.editor)}>
          <input
            type="checkbox"
            checked={shared}
            disabled={!canShare}
            onChange={event => setShared(event.target.checked)}
          />
          {m.views.share}
        </label>
      </form>
    </Dialog>
  );
}

/** The saved views of the list of runs: filters under a name, of one person or of the workspace. */
export function ViewsMenu({ filters }: { filters: RunFilters }) {
  const { id, slug: w, role } = useWorkspace();
  const navigate = useNavigate();
  const { data: views = [] } = useQuery(viewsQuery(id, PAGE));
  const [saving, setSaving] = useState(false);
  const remove = useDeleteView(id);
  const query = stringifySearch({ ...filters });
  const current = query === "" ? undefined : views.find(view => textOf(view.query) === textOf(query));
  const mayDelete = current && (current.mine || includesRole(role, "admin"));
  const open = (text: string) => void navigate({ to: `/w/${w}/runs${text}` });
  const group = (label: string, some: readonly SavedView[]) =>
    some.length === 0 ? null : (
      <MenuGroup label={label}>
        {some.map(view => (
          <MenuChoice key={view.id} checked={view.id === current?.id} onSelect={() => open(view.query)}>
            {view.name}
          </MenuChoice>
        ))}
      </MenuGroup>
    );
  return (
    <>
      <Menu
        align="end"
        trigger={
          <Button icon={<Bookmark size={14} aria-hidden />}>
            <span className={styles.current}>{current?.name ?? m.views.title}</span>
            <ChevronDown size={13} aria-hidden className={styles.chevron} />
          </Button>
        }
      >
        <MenuChoice checked={query === ""} onSelect={() => open("")}>
          {m.views.all}
        </MenuChoice>
        {group(
          m.views.own,
          views.filter(({ shared }) => !shared),
        )}
        {group(
          m.views.ofWorkspace,
          views.filter(({ shared }) => shared),
        )}
        <MenuSeparator />
        <MenuItem
          icon={<BookmarkPlus size={16} aria-hidden />}
          disabled={query === "" || current !== undefined}
          onSelect={() => setSaving(true)}
        >
          {m.views.save}
        </MenuItem>
        {mayDelete ? (
          <MenuItem
            icon={<Trash2 size={16} aria-hidden />}
            danger
            onSelect={() => remove.mutate(current, { onSuccess: () => toast.done(m.views.deleted(current.name)) })}
          >
            {m.views.remove(current.name)}
          </MenuItem>
        ) : null}
      </Menu>
      {saving ? <SaveView query={query} onClose={() => setSaving(false)} /> : null}
    </>
  );
}
