import { FileUp } from "lucide-react";
import { useRef, useState } from "react";
import { ACCEPTED, MAX_FILES, upload } from "../../data/knowledge-uploads.ts";
import { words } from "../../messages/en-knowledge.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { toast } from "../../ui/toast.tsx";
import styles from "./base.module.css";

/** Uploads files to the base when the user drops or chooses them. */
export function DropZone({ baseId, onTaken }: { baseId: string; onTaken: () => void }) {
  const { id: workspaceId } = useWorkspace();
  const field = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const take = (list: FileList | null) => {
    const files = [...(list ?? [])];
    if (files.length === 0) return;
    if (files.length > MAX_FILES) toast.failed(words.drop.tooMany(MAX_FILES));
    upload(workspaceId, baseId, files, words.drop.kind);
    onTaken();
  };
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- The button does the same by keys.
    <div
      className={styles.drop}
      role="group"
      aria-label={words.drop.title}
      data-over={over || undefined}
      onDragOver={event => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={event => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer.files);
      }}
    >
      <FileUp size={20} aria-hidden />
      <div className={styles.dropText}>
        <p className={styles.dropTitle}>{words.drop.title}</p>
        <p className={styles.dropDetail}>{words.drop.detail}</p>
      </div>
      <Button onClick={() => field.current?.click()}>{words.drop.choose}</Button>
      <input
        ref={field}
        type="file"
        multiple
        hidden
        accept={ACCEPTED}
        aria-label={words.drop.choose}
        onChange={({ target }) => {
          take(target.files);
          target.value = "";
        }}
      />
    </div>
  );
}
