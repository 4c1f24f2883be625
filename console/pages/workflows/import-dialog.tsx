import { useMutation, useQuery } from "@tanstack/react-query";
import { Suspense, useMemo, useState } from "react";
import { checkFile, importWorkflow } from "../../data/new-workflow.ts";
import { problemOf } from "../../data/problem.ts";
import { words } from "../../messages/en-new-workflow.ts";
import { m } from "../../messages/index.ts";
import { graphOf } from "../../run/graph/definition.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { lazy } from "../../ui/lazy.tsx";
import { WithCode } from "../../ui/markdown.tsx";
import { ScrollRegion } from "../../ui/scroll-region.tsx";
import { Skeleton, SkeletonRows } from "../../ui/skeleton.tsx";
import { Failure, Notice } from "../../ui/states.tsx";
import styles from "./import-dialog.module.css";

const RunGraph = lazy(() => import("../../run/graph/run-graph.tsx"));
const NOT_RUN = new Map<never, never>();

interface ImportDialogProps {
  file: File;
  /** The space for the workflow, if it is not the default one. */
  spaceId: string | undefined;
  onImported: (workflow: { id: string; spaceId: string }) => void;
  onClose: () => void;
}

type Checked = Awaited<ReturnType<typeof checkFile>>;

/** The steps that a file becomes, and what the user should check in them. */
function Report({ checked: { definition, remarks } }: { checked: Checked }) {
  const graph = useMemo(() => graphOf(definition), [definition]);
  const [selected, setSelected] = useState<string>();
  return (
    <>
      <div className={styles.graph} role="group" aria-label={words.graph}>
        <Suspense fallback={<Skeleton width={180} />}>
          <RunGraph graph={graph} steps={NOT_RUN} selected={selected} onSelect={setSelected} />
        </Suspense>
      </div>
      <p className={styles.title} role="status">
        {words.steps(graph.steps.length)} · {words.report(remarks.length)}
      </p>
      {remarks.length === 0 ? <p>{words.clean}</p> : <p>{words.reportLead}</p>}
      {remarks.length === 0 ? null : (
        <ScrollRegion as="ul" className={styles.report} label={words.report(remarks.length)}>
          {remarks.map(({ node, message }, n) => (
            <li key={n}>
              <span className={styles.node}>{node ?? words.wholeWorkflow}</span>: <WithCode text={message} />
            </li>
          ))}
        </ScrollRegion>
      )}
    </>
  );
}

/** Shows what a file of Weft or n8n becomes, and imports it. */
export default function ImportDialog({ file, spaceId, onImported, onClose }: ImportDialogProps) {
  const { id: workspaceId } = useWorkspace();
  const { data, error, refetch } = useQuery({
    queryKey: ["w", workspaceId, "import", file.name, file.size, file.lastModified],
    queryFn: ({ signal }) => checkFile(workspaceId, file, signal),
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const load = useMutation({
    mutationFn: (document: unknown) => importWorkflow({ workspaceId, spaceId }, document),
    onSuccess: onImported,
    meta: { shown: true },
  });
  const failed = load.error ? problemOf(load.error) : undefined;
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={words.importTitle(file.name)}
      description={words.importLead}
      actions={
        <>
          <Button onClick={onClose}>{m.cancel}</Button>
          <Button
            tone="primary"
            busy={load.isPending}
            disabled={!data}
            title={data ? undefined : words.reading}
            onClick={() => data && load.mutate(data.document)}
          >
            {words.import}
          </Button>
        </>
      }
    >
      <div className={styles.body}>
        {failed ? (
          <Notice tone="bad">
            {words.notImported}. {failed.title}. {failed.detail}
          </Notice>
        ) : null}
        {data ? <Report checked={data} /> : null}
        {!data && error ? <Failure small problem={problemOf(error)} onRetry={() => void refetch()} /> : null}
        {!data && !error ? <SkeletonRows rows={5} /> : null}
      </div>
    </Dialog>
  );
}
