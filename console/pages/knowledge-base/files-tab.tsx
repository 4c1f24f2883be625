import { useQuery } from "@tanstack/react-query";
import { FileText, RotateCw, X } from "lucide-react";
import { importsQuery, type KnowledgeImport, useImportAct } from "../../data/knowledge.ts";
import { forget, sendAgain, type Upload } from "../../data/knowledge-uploads.ts";
import { bytesText } from "../../messages/bytes.ts";
import { words } from "../../messages/en-knowledge.ts";
import { QueryList } from "../../shell/query-list.tsx";
import { includesRole, useWorkspace } from "../../shell/workspace.ts";
import { IconButton } from "../../ui/button.tsx";
import { Card } from "../../ui/page.tsx";
import rows from "../../ui/rows.module.css";
import { Empty } from "../../ui/states.tsx";
import { Status, type StatusName } from "../../ui/status.tsx";
import { Time } from "../../ui/time.tsx";
import styles from "./base.module.css";

const MARKS: Record<KnowledgeImport["status"], StatusName> = {
  pending: "pending",
  running: "running",
  completed: "completed",
  failed: "failed",
  cancelled: "cancelled",
};

function UploadRow({ upload: { key, file, state, reason } }: { upload: Upload }) {
  return (
    <li className={rows.row}>
      <FileText size={16} aria-hidden />
      <div className={rows.text}>
        <span className={rows.name}>{file.name}</span>
        <span className={rows.detail}>{reason ?? bytesText(file.size)}</span>
      </div>
      <Status status={state === "failed" ? "failed" : state === "sending" ? "running" : "pending"}>
        {words.upload[state]}
      </Status>
      {state === "failed" ? (
        <>
          <IconButton size="small" label={words.upload.again(file.name)} onClick={() => sendAgain(key)}>
            <RotateCw size={14} aria-hidden />
          </IconButton>
          <IconButton size="small" label={words.upload.forget(file.name)} onClick={() => forget(key)}>
            <X size={14} aria-hidden />
          </IconButton>
        </>
      ) : null}
    </li>
  );
}

function detailOf({ status, error, entriesTotal, entriesDone }: KnowledgeImport): string {
  if (error) return error.message;
  if (status === "cancelled") return words.imports.stopped(entriesDone);
  if (status === "completed") return words.imports.became(entriesDone);
  return entriesTotal === null ? words.imports.reading : words.imports.progress(entriesDone, entriesTotal);
}

function ImportRow({ baseId, one }: { baseId: string; one: KnowledgeImport }) {
  const { id: importId, name, status, entriesTotal, entriesDone, createdAt, retryUntil } = one;
  const { id: workspaceId, role } = useWorkspace();
  const act = useImportAct(workspaceId, baseId);
  const may = includesRole(role, "editor");
  const isRunning = status === "running" && entriesTotal !== null && entriesTotal > 0;
  return (
    <li className={rows.row}>
      <FileText size={16} aria-hidden />
      <div className={rows.text}>
        <span className={rows.name}>{name}</span>
        <span className={rows.detail}>
          {detailOf(one)} · <Time at={createdAt} />
        </span>
        {isRunning ? (
          <progress
            className={styles.progress}
            aria-label={words.imports.bar(name)}
            value={entriesDone}
            max={entriesTotal}
          />
        ) : null}
      </div>
      <Status status={MARKS[status]}>{words.imports.status[status]}</Status>
      {may && (status === "pending" || status === "running") ? (
        <IconButton
          size="small"
          label={words.imports.cancel(name)}
          busy={act.isPending}
          onClick={() => act.mutate({ act: "cancel", importId })}
        >
          <X size={14} aria-hidden />
        </IconButton>
      ) : null}
      {may && retryUntil ? (
        <IconButton
          size="small"
          label={words.imports.retry(name)}
          busy={act.isPending}
          onClick={() => act.mutate({ act: "retry", importId })}
        >
          <RotateCw size={14} aria-hidden />
        </IconButton>
      ) : null}
    </li>
  );
}

/** The files of a base: current uploads, and files that the service has. */
export function FilesTab({ baseId, uploads }: { baseId: string; uploads: readonly Upload[] }) {
  const { id: workspaceId } = useWorkspace();
  const query = useQuery(importsQuery(workspaceId, baseId));
  return (
    <Card flush>
      {uploads.length > 0 ? (
        <ul className={styles.uploads}>
          {uploads.map(upload => (
            <UploadRow key={upload.key} upload={upload} />
          ))}
        </ul>
      ) : null}
      <QueryList
        small
        query={query}
        empty={
          uploads.length > 0 ? null : (
            <Empty small icon={<FileText size={20} aria-hidden />} title={words.imports.empty}>
              {words.imports.emptyDetail}
            </Empty>
          )
        }
      >
        {one => <ImportRow key={one.id} baseId={baseId} one={one} />}
      </QueryList>
    </Card>
  );
}
