import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { Ellipsis } from "lucide-react";
import { useCallback, useState } from "react";
import { importsQuery, type KnowledgeBase, knowledgeBaseQuery, useRemoveBase } from "../../data/knowledge.ts";
import { useUploads } from "../../data/knowledge-uploads.ts";
import { problemOf } from "../../data/problem.ts";
import { words } from "../../messages/en-knowledge.ts";
import { Confirm } from "../../shell/confirm.tsx";
import { useAddCrumbs } from "../../shell/crumbs.ts";
import { includesRole, useWorkspace } from "../../shell/workspace.ts";
import { IconButton } from "../../ui/button.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu.tsx";
import { Card, Page } from "../../ui/page.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Failure } from "../../ui/states.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { toast } from "../../ui/toast.tsx";
import { BaseDialog } from "../knowledge/base-dialog.tsx";
import styles from "./base.module.css";
import { DropZone } from "./drop-zone.tsx";
import { EntriesTab } from "./entries-tab.tsx";
import { FilesTab } from "./files-tab.tsx";
import { SearchTab } from "./search-tab.tsx";
import { type BaseSearch, type Tab, TABS } from "./search.ts";

const FROM = "/authed/w/$w/knowledge/$id";

function Acts({ base }: { base: KnowledgeBase }) {
  const { id: workspaceId, slug: w } = useWorkspace();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<"edit" | "remove">();
  const remove = useRemoveBase(workspaceId);
  const close = () => setAsked(undefined);
  const removed = () => {
    toast.done(words.removed(base.name));
    void navigate({ to: "/w/$w/knowledge", params: { w } });
  };
  return (
    <>
      <Menu
        align="end"
        trigger={
          <IconButton label={words.more(base.name)} tone="plain">
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => setAsked("edit")}>{words.edit}</MenuItem>
        <MenuSeparator />
        <MenuItem danger onSelect={() => setAsked("remove")}>
          {words.remove}
        </MenuItem>
      </Menu>
      {asked === "edit" ? (
        <BaseDialog
          base={base}
          onClose={close}
          onSaved={() => {
            toast.done(words.saved);
            close();
          }}
        />
      ) : null}
      <Confirm
        open={asked === "remove"}
        onClose={close}
        title={words.removeTitle(base.name)}
        confirm={words.remove}
        onConfirm={() => remove.mutateAsync(base.id, { onSuccess: removed })}
      >
        {words.removeDetail}
      </Confirm>
    </>
  );
}

/** The page of a knowledge base: its entries, imported files, and a search to try. */
export function KnowledgeBasePage() {
  const { id } = useParams({ from: FROM });
  const given = useSearch({ from: FROM });
  const { id: workspaceId, slug: w, role } = useWorkspace();
  const navigate = useNavigate({ from: "/w/$w/knowledge/$id" });
  const { data: base, error, refetch } = useQuery(knowledgeBaseQuery(workspaceId, id));
  const { data: imports } = useQuery(importsQuery(workspaceId, id));
  const uploads = useUploads().filter(({ baseId }) => baseId === id);
  const tab: Tab = given.tab ?? "entries";
  const crumbs = { title: words.title, href: `/w/${w}/knowledge` };
  useAddCrumbs(base ? [crumbs, { title: base.name, siblings: "bases" }] : [crumbs]);
  const search = useCallback(
    (change: BaseSearch) =>
      void navigate({ search: before => ({ ...before, ...change }), replace: true, resetScroll: false }),
    [navigate],
  );
  if (!base) {
    return (
      <Page title={words.title}>
        <Card flush>
          {error ? <Failure problem={problemOf(error)} onRetry={() => void refetch()} /> : <SkeletonRows />}
        </Card>
      </Page>
    );
  }
  const files = (imports?.length ?? 0) + uploads.length;
  const counts: Record<Tab, number | undefined> = { entries: undefined, files: files || undefined, search: undefined };
  const mayEdit = includesRole(role, "editor");
  return (
    <Page title={base.name} lead={base.description || undefined} actions={mayEdit ? <Acts base={base} /> : undefined}>
      {mayEdit ? <DropZone baseId={id} onTaken={() => search({ tab: "files", q: undefined })} /> : null}
      <Tabs
        label={words.sections}
        value={tab}
        onChange={next => search({ tab: next === "entries" ? undefined : next, q: undefined, e: undefined })}
        tabs={TABS.map(value => ({ value, label: words.tab[value], count: counts[value] }))}
      >
        <div className={styles.tab}>
          {tab === "entries" ? <EntriesTab baseId={id} given={given} search={search} /> : null}
          {tab === "files" ? <FilesTab baseId={id} uploads={uploads} /> : null}
          {tab === "search" ? <SearchTab base={base} given={given} search={search} /> : null}
        </div>
      </Tabs>
    </Page>
  );
}
