import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { Builder } from "../../builder/builder.tsx";
import { DraftNotice } from "../../builder/draft-notice.tsx";
import { Opening } from "../../builder/opening.tsx";
import { openedQuery, openOtherDraft } from "../../builder/opened.ts";
import { useTab } from "../../builder/tabs.ts";
import { problemOf } from "../../data/problem.ts";
import { useMe } from "../../data/session.ts";
import { m } from "../../messages/index.ts";
import { words } from "../../messages/en-builder.ts";
import { useAddCrumbs } from "../../shell/crumbs.ts";
import { includesRole, useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { HiddenTitle } from "../../ui/page.tsx";
import { Failure, Notice } from "../../ui/states.tsx";
import { useMedia } from "../../ui/use-media.ts";

const FROM = "/authed/w/$w/s/$s/f/$id";

/** The page of the builder. */
export function BuilderPage() {
  const { s, id } = useParams({ from: FROM });
  const { n, run } = useSearch({ from: FROM });
  const workspace = useWorkspace();
  const me = useMe();
  const navigate = useNavigate({ from: "/w/$w/s/$s/f/$id" });
  const at = useMemo(() => ({ workspaceId: workspace.id, spaceId: s, id }), [workspace.id, s, id]);
  const mayEdit = includesRole(workspace.role, "editor");
  const narrow = useMedia("(max-width: 719px)");
  // On a phone a touch that scrolls must change nothing, so a workflow is edited there only when that is asked for.
  const [editsNarrow, setEditsNarrow] = useState(false);
  const reads = narrow && !editsNarrow;
  const keeping = useRef<() => Promise<void>>(() => Promise.resolve());
  const keep = useCallback(() => keeping.current(), []);
  const setKeep = useCallback((act: () => Promise<void>) => void (keeping.current = act), []);
  const { tab, take } = useTab(`${me.id}:${id}`, mayEdit && !reads, keep);
  const { data, error, isFetching, refetch } = useQuery(openedQuery(at, me.id));
  const workflows = { title: m.places.workflows, href: `/w/${workspace.slug}/workflows` };
  useAddCrumbs(data ? [workflows, { title: data.stored.workflow.name, siblings: "workflows" }] : [workflows]);
  const select = useCallback(
    (next: string | undefined) => void navigate({ search: { n: next }, replace: true, resetScroll: false }),
    [navigate],
  );
  // A tab that takes over continues with the draft that the other one stored.
  const before = useRef(tab);
  useEffect(() => {
    if (before.current === "elsewhere" && tab === "editing") void refetch();
    before.current = tab;
  }, [tab, refetch]);

  // While the draft of another tab is loading, or cannot be loaded, the old one must not be edited.
  if (!data || error || tab === "asking" || isFetching) {
    return (
      <>
        <HiddenTitle>{data?.stored.workflow.name ?? m.places.workflows}</HiddenTitle>
        {error ? <Failure problem={problemOf(error)} onRetry={() => void refetch()} /> : <Opening />}
      </>
    );
  }
  const notice = !mayEdit ? (
    <Notice>{words.viewer}</Notice>
  ) : tab === "elsewhere" ? (
    <Notice
      action={
        <Button size="small" onClick={take}>
          {words.takeOver}
        </Button>
      }
    >
      {words.otherTab}
    </Notice>
  ) : reads ? (
    <Notice
      action={
        <Button size="small" onClick={() => setEditsNarrow(true)}>
          {words.editHere}
        </Button>
      }
    >
      {words.narrow}
    </Notice>
  ) : null;
  const draftNotice =
    data.draft && notice === null ? (
      <DraftNotice
        key={data.opened}
        at={at}
        userId={me.id}
        opened={data.draft}
        onOther={() => void openOtherDraft(at, me.id, data)}
        onDiscarded={() => void refetch()}
      />
    ) : null;
  return (
    <Builder
      key={`${id} ${data.opened}`}
      at={at}
      userId={me.id}
      stored={data.stored}
      draft={data.draft}
      readOnly={!mayEdit || reads || tab === "elsewhere"}
      narrow={narrow}
      notice={notice}
      draftNotice={draftNotice}
      mayRun={mayEdit}
      mayDeploy={includesRole(workspace.role, "admin")}
      selected={n}
      begins={run !== undefined}
      onSelect={select}
      onKeep={setKeep}
      onVersions={() => void navigate({ to: "/w/$w/s/$s/f/$id/versions", params: { w: workspace.slug, s, id } })}
    />
  );
}
