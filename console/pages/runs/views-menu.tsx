import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Bookmark, BookmarkCheck, BookmarkPlus, ChevronDown, Pencil, Trash2 } from "lucide-react";
import { Suspense, useState } from "react";
import type { RunFilters } from "../../data/runs.ts";
import { type SavedView, useDeleteView, useUpdateView, viewsQuery } from "../../data/views.ts";
import { views as words } from "../../messages/en-views.ts";
import { stringifySearch } from "../../search.ts";
import { includesRole, useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { lazy } from "../../ui/lazy.tsx";
import { Menu, MenuChoice, MenuGroup, MenuItem, MenuSeparator } from "../../ui/menu.tsx";
import { toast } from "../../ui/toast.tsx";
import styles from "./views-menu.module.css";

const PAGE = "runs";

/** Sorts the parameters, so that a view is recognised whatever the order in which its filters were set. */
const textOf = (query: string) => new URLSearchParams([...new URLSearchParams(query)].toSorted()).toString();

/** Loaded when it is opened. */
const ViewDialog = lazy(() => import("./view-dialog.tsx"), "ViewDialog");

/** The menu of saved views: named filters of the list, private or shared in the workspace. */
export function ViewsMenu({ filters }: { filters: RunFilters }) {
  const { id, slug: w, role } = useWorkspace();
  const navigate = useNavigate();
  const { data: views = [] } = useQuery(viewsQuery(id, PAGE));
  // The view whose dialog is open. `new` means a new view.
  const [editing, setEditing] = useState<SavedView | "new">();
  const [openedId, setOpenedId] = useState<string>();
  const remove = useDeleteView(id);
  const update = useUpdateView(id);
  const query = stringifySearch({ ...filters });
  const current = query === "" ? undefined : views.find(view => textOf(view.query) === textOf(query));
  // The opened view stays current while its filters change, until the user shows all runs.
  const openedNow = query === "" ? undefined : (current?.id ?? openedId);
  if (openedNow !== openedId) setOpenedId(openedNow);
  const changed = current ? undefined : views.find(view => view.id === openedNow);
  const mayChange = (view: SavedView | undefined) => view && (view.mine || includesRole(role, "admin"));
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
            <span className={styles.current}>
              {current?.name ?? (changed ? words.changed(changed.name) : words.title)}
            </span>
            <ChevronDown size={13} aria-hidden />
          </Button>
        }
      >
        <MenuChoice checked={query === ""} onSelect={() => open("")}>
          {words.all}
        </MenuChoice>
        {group(
          words.own,
          views.filter(({ shared }) => !shared),
        )}
        {group(
          words.ofWorkspace,
          views.filter(({ shared }) => shared),
        )}
        <MenuSeparator />
        <MenuItem
          icon={<BookmarkPlus size={16} aria-hidden />}
          disabled={query === "" || current !== undefined}
          onSelect={() => setEditing("new")}
        >
          {words.save}
        </MenuItem>
        {changed && mayChange(changed) ? (
          <MenuItem
            icon={<BookmarkCheck size={16} aria-hidden />}
            onSelect={() =>
              update.mutate({ id: changed.id, query }, { onSuccess: ({ name }) => toast.done(words.updated(name)) })
            }
          >
            {words.update(changed.name)}
          </MenuItem>
        ) : null}
        {current && mayChange(current) ? (
          <>
            <MenuItem icon={<Pencil size={16} aria-hidden />} onSelect={() => setEditing(current)}>
              {words.edit(current.name)}
            </MenuItem>
            <MenuItem
              icon={<Trash2 size={16} aria-hidden />}
              danger
              onSelect={() => remove.mutate(current, { onSuccess: () => toast.done(words.deleted(current.name)) })}
            >
              {words.remove(current.name)}
            </MenuItem>
          </>
        ) : null}
      </Menu>
      {editing ? (
        <Suspense>
          <ViewDialog
            query={query}
            {...(editing !== "new" && { view: editing })}
            onClose={() => setEditing(undefined)}
          />
        </Suspense>
      ) : null}
    </>
  );
}
