import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Box, Ellipsis, FolderKanban, Plus } from "lucide-react";
import { useState } from "react";
import { problemOf } from "../../data/problem.ts";
import {
  type Branch,
  type Named,
  type Pod,
  podsQuery,
  type Space,
  spacesQuery,
  treeOf,
  useRemove,
} from "../../data/spaces.ts";
import { MAX_LISTED, workflowsQuery } from "../../data/workflows.ts";
import { words } from "../../messages/en-spaces.ts";
import { RoleButton } from "../../shell/role-button.tsx";
import { includesRole, useWorkspace } from "../../shell/workspace.ts";
import { IconButton } from "../../ui/button.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu.tsx";
import { Card } from "../../ui/page.tsx";
import rows from "../../ui/rows.module.css";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Failure } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { TypedConfirm } from "../../shell/typed-confirm.tsx";
import { NameDialog } from "./name-dialog.tsx";
import styles from "./spaces.module.css";

type Asked =
  | { act: "name"; title: string; what: Named; before?: string }
  | { act: "remove"; kind: "pod" | "space"; id: string; name: string; detail: string };
type Ask = (asked: Asked) => void;
/** Counts the workflows in these spaces. Undefined while the number is unknown. */
type Counts = (spaces: readonly Space[]) => number | undefined;

function SpaceRow({ space, counts, ask }: { space: Space; counts: Counts; ask: Ask }) {
  const { slug: w, role } = useWorkspace();
  const navigate = useNavigate();
  const { id, name } = space;
  const held = counts([space]);
  const rename = () => ask({ act: "name", title: words.renameTitle(name), what: { kind: "space", id }, before: name });
  const remove = () => ask({ act: "remove", kind: "space", id, name, detail: words.removeSpace(held) });
  return (
    <li className={rows.row}>
      <Box size={16} aria-hidden />
      <div className={rows.text}>
        <span className={rows.name}>{name}</span>
        <span className={rows.detail}>
          {[
            held === undefined ? "" : words.workflows(held),
            space.default && space.podId === undefined ? words.first : "",
          ]
            .filter(Boolean)
            .join(" · ")}
        </span>
      </div>
      <Menu
        align="end"
        trigger={
          <IconButton size="small" label={words.more(name)}>
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => void navigate({ to: "/w/$w/workflows", params: { w }, search: { s: id } })}>
          {words.openWorkflows}
        </MenuItem>
        <MenuItem
          onSelect={() =>
            void navigate({ to: "/w/$w/settings/$tab", params: { w, tab: "variables" }, search: { space: id } })
          }
        >
          {words.openVariables}
        </MenuItem>
        {includesRole(role, "editor") ? <MenuItem onSelect={rename}>{words.rename}</MenuItem> : null}
        {includesRole(role, "editor") && !space.default ? (
          <>
            <MenuSeparator />
            <MenuItem danger onSelect={remove}>
              {words.remove}
            </MenuItem>
          </>
        ) : null}
      </Menu>
    </li>
  );
}

function PodHead({ pod, spaces, counts, ask }: { pod: Pod; spaces: readonly Space[]; counts: Counts; ask: Ask }) {
  const { role } = useWorkspace();
  const { id, name } = pod;
  const add = () => ask({ act: "name", title: words.inPod(name), what: { kind: "space", podId: id } });
  const rename = () => ask({ act: "name", title: words.renameTitle(name), what: { kind: "pod", id }, before: name });
  const detail = words.removePod(spaces.length, counts(spaces));
  return (
    <div className={styles.head} data-row>
      <FolderKanban size={16} aria-hidden />
      <h3 className={styles.pod}>{name}</h3>
      {includesRole(role, "editor") ? (
        <Menu
          align="end"
          trigger={
            <IconButton size="small" label={words.moreOfPod(name)}>
              <Ellipsis size={16} aria-hidden />
            </IconButton>
          }
        >
          <MenuItem onSelect={add}>{words.newSpace}</MenuItem>
          <MenuItem onSelect={rename}>{words.rename}</MenuItem>
          {includesRole(role, "admin") ? (
            <>
              <MenuSeparator />
              <MenuItem danger onSelect={() => ask({ act: "remove", kind: "pod", id, name, detail })}>
                {words.remove}
              </MenuItem>
            </>
          ) : null}
        </Menu>
      ) : null}
    </div>
  );
}

function Tree({ branches, counts, ask }: { branches: readonly Branch[]; counts: Counts; ask: Ask }) {
  return branches.map(({ pod, spaces }) => (
    <section key={pod?.id ?? ""} className={styles.branch} aria-label={pod?.name ?? words.workspace}>
      {pod ? <PodHead {...{ pod, spaces, counts, ask }} /> : null}
      <ul className={pod && styles.within} data-rows>
        {spaces.map(space => (
          <SpaceRow key={space.id} space={space} counts={counts} ask={ask} />
        ))}
      </ul>
    </section>
  ));
}

function RemoveDialog({ asked, onClose }: { asked: Asked & { act: "remove" }; onClose: () => void }) {
  const remove = useRemove(useWorkspace().id);
  const { kind, id, name, detail } = asked;
  return (
    <TypedConfirm
      title={words.removeTitle(name)}
      detail={detail}
      label={words.removeLabel(name)}
      word={name}
      confirm={words.remove}
      onClose={onClose}
      onConfirm={() => remove.mutateAsync({ kind, id }, { onSuccess: () => toast.done(words.removed(name)) })}
    />
  );
}

/** The spaces of the workspace, grouped by pod. */
export function SpacesSection() {
  const { id } = useWorkspace();
  const spaces = useQuery(spacesQuery(id));
  const pods = useQuery(podsQuery(id));
  const { data: workflows } = useQuery(workflowsQuery(id));
  const [asked, setAsked] = useState<Asked>();
  const error = spaces.error ?? pods.error;
  const isKnown = workflows !== undefined && workflows.length < MAX_LISTED;
  const counts: Counts = some =>
    isKnown ? workflows.filter(({ spaceId }) => some.some(one => one.id === spaceId)).length : undefined;
  const name = (kind: "pod" | "space", title: string) => () => setAsked({ act: "name", title, what: { kind } });
  const close = () => setAsked(undefined);
  return (
    <>
      <Card
        flush
        title={words.title}
        lead={words.lead}
        aside={
          <div className={styles.acts}>
            <RoleButton least="editor" icon={<Plus size={14} aria-hidden />} onClick={name("pod", words.newPod)}>
              {words.newPod}
            </RoleButton>
            <RoleButton
              least="editor"
              tone="primary"
              icon={<Plus size={14} aria-hidden />}
              onClick={name("space", words.newSpace)}
            >
              {words.newSpace}
            </RoleButton>
          </div>
        }
      >
        {spaces.data && pods.data ? (
          <Tree branches={treeOf(pods.data, spaces.data)} counts={counts} ask={setAsked} />
        ) : error ? (
          <Failure
            small
            problem={problemOf(error)}
            onRetry={() => void Promise.all([spaces.refetch(), pods.refetch()])}
          />
        ) : (
          <SkeletonRows tall rows={3} />
        )}
      </Card>
      {asked?.act === "name" ? (
        <NameDialog title={asked.title} what={asked.what} before={asked.before} onClose={close} />
      ) : null}
      {asked?.act === "remove" ? <RemoveDialog asked={asked} onClose={close} /> : null}
    </>
  );
}
