import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Ellipsis, FileText, Image, Paperclip, Upload } from "lucide-react";
import { useRef, useState } from "react";
import {
  downloadFile,
  filesQuery,
  previewOf,
  type StoredFile,
  useRemoveFile,
  useUploadFiles,
} from "../../data/files.ts";
import { problemOf } from "../../data/problem.ts";
import { amountsOf, usageQuery } from "../../data/usage.ts";
import { useMemberNames } from "../../data/workspaces.ts";
import { bytesText } from "../../messages/bytes.ts";
import { kindOf, words } from "../../messages/en-files.ts";
import { Confirm } from "../../shell/confirm.tsx";
import { PagedList } from "../../shell/paged-list.tsx";
import { RoleButton } from "../../shell/role-button.tsx";
import { includesRole, useWorkspace } from "../../shell/workspace.ts";
import { IconButton } from "../../ui/button.tsx";
import { copy } from "../../ui/copy.ts";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu.tsx";
import { Card, Page } from "../../ui/page.tsx";
import rows from "../../ui/rows.module.css";
import { saveBlob } from "../../ui/save.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Empty } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";
import knowledge from "../knowledge/knowledge.module.css";
import styles from "./files.module.css";
import { PreviewDialog } from "./preview-dialog.tsx";

/** How much storage is used, and the quota. */
function Quota() {
  const { id: workspaceId } = useWorkspace();
  const { data, error } = useQuery(usageQuery(workspaceId));
  const amount = data && amountsOf(data).kept.find(({ name }) => name === "file_bytes");
  if (!data && !error) {
    return (
      <p className={styles.quota}>
        <Skeleton width={240} />
      </p>
    );
  }
  if (!amount || amount.used === null) return null;
  const { used, allowed } = amount;
  if (allowed === null) return <p className={styles.quota}>{words.usedOnly(bytesText(used))}</p>;
  return (
    <p className={styles.quota}>
      <meter aria-label={words.meter} value={used} max={allowed} high={allowed * 0.8} />
      {words.used(bytesText(used), bytesText(allowed))}
    </p>
  );
}

async function download(workspaceId: string, { id, name }: StoredFile): Promise<void> {
  try {
    saveBlob(await downloadFile(workspaceId, id), name);
  } catch (error) {
    toast.problem(problemOf(error));
  }
}

/** The value with which the input of a run refers to a file. */
const referenceOf = ({ id, name, type, size, sha256 }: StoredFile) =>
  JSON.stringify({ $file: { id, name, type, size, sha256 } });

function Row({ file, onOpen, onRemove }: { file: StoredFile; onOpen: () => void; onRemove: () => void }) {
  const { id: workspaceId, role } = useWorkspace();
  const names = useMemberNames(workspaceId);
  const { name, type, size, createdAt, createdBy } = file;
  const by = createdBy === null ? words.byRun : names.get(createdBy);
  const isPicture = previewOf(file) === "picture";
  return (
    <li className={`${rows.row} ${knowledge.row}`}>
      {isPicture ? <Image size={16} aria-hidden /> : <FileText size={16} aria-hidden />}
      <div className={rows.text}>
        <button
          type="button"
          className={`${rows.name} ${styles.open} ${knowledge.link}`}
          aria-label={words.open(name)}
          onClick={onOpen}
        >
          {name}
        </button>
        <span className={rows.detail}>
          {bytesText(size)} · {kindOf(type)} · <Time at={createdAt} />
          {by ? ` · ${by}` : ""}
        </span>
      </div>
      <div className={styles.menu}>
        <Menu
          align="end"
          trigger={
            <IconButton size="small" label={words.more(name)}>
              <Ellipsis size={16} aria-hidden />
            </IconButton>
          }
        >
          <MenuItem onSelect={() => void download(workspaceId, file)}>{words.download}</MenuItem>
          <MenuItem
            onSelect={() => void copy(referenceOf(file)).then(done => (done ? toast.done(words.copied) : undefined))}
          >
            {words.copyId}
          </MenuItem>
          {includesRole(role, "editor") ? (
            <>
              <MenuSeparator />
              <MenuItem danger onSelect={onRemove}>
                {words.remove}
              </MenuItem>
            </>
          ) : null}
        </Menu>
      </div>
    </li>
  );
}

/** The files of the workspace. Users can upload, preview, download and delete them. */
export function FilesPage() {
  const { id: workspaceId, slug: w, role } = useWorkspace();
  const { open } = useSearch({ from: "/authed/w/$w/files" });
  const navigate = useNavigate();
  const query = useInfiniteQuery(filesQuery(workspaceId));
  const upload = useUploadFiles(workspaceId);
  const remove = useRemoveFile(workspaceId);
  const [sending, setSending] = useState("");
  const [removing, setRemoving] = useState<StoredFile>();
  const field = useRef<HTMLInputElement>(null);
  const mayEdit = includesRole(role, "editor");
  const files = query.data?.pages.flatMap(({ items }) => items);
  const opened = files?.find(({ id }) => id === open);
  const show = (id: string | undefined) =>
    void navigate({ to: "/w/$w/files", params: { w }, search: { open: id }, replace: true, resetScroll: false });
  const take = (list: FileList | null) => {
    const given = [...(list ?? [])];
    if (given.length === 0 || !mayEdit) return;
    upload.mutate({ files: given, onNext: setSending }, { onSuccess: n => toast.done(words.uploaded(n)) });
  };
  const uploads = (
    <RoleButton
      least="editor"
      tone="primary"
      icon={<Upload size={14} aria-hidden />}
      busy={upload.isPending}
      onClick={() => field.current?.click()}
    >
      {words.upload}
    </RoleButton>
  );
  return (
    <Page title={words.title} lead={words.lead} actions={files?.length === 0 ? null : uploads}>
      <Quota />
      <p className="visually-hidden" role="status">
        {upload.isPending ? words.sending(sending) : ""}
      </p>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- The button does the same by keys. */}
      <div
        role="group"
        aria-label={words.title}
        onDragOver={event => mayEdit && event.preventDefault()}
        onDrop={event => {
          event.preventDefault();
          take(event.dataTransfer.files);
        }}
      >
        <Card flush>
          <PagedList
            query={query}
            empty={
              <Empty icon={<Paperclip size={20} aria-hidden />} title={words.empty} action={uploads}>
                {words.emptyDetail} {mayEdit ? words.dropHere : ""}
              </Empty>
            }
          >
            {file => <Row key={file.id} file={file} onOpen={() => show(file.id)} onRemove={() => setRemoving(file)} />}
          </PagedList>
        </Card>
      </div>
      <input
        ref={field}
        type="file"
        multiple
        hidden
        aria-label={words.upload}
        onChange={({ target }) => {
          take(target.files);
          target.value = "";
        }}
      />
      {opened ? (
        <PreviewDialog
          key={opened.id}
          file={opened}
          onDownload={() => void download(workspaceId, opened)}
          onClose={() => show(undefined)}
        />
      ) : null}
      <Confirm
        open={removing !== undefined}
        onClose={() => setRemoving(undefined)}
        title={words.removeTitle(removing?.name ?? "")}
        confirm={words.remove}
        onConfirm={() =>
          removing && remove.mutateAsync(removing.id, { onSuccess: () => toast.done(words.removed(removing.name)) })
        }
      >
        {words.removeDetail}
      </Confirm>
    </Page>
  );
}
