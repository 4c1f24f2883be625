import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useMemo } from "react";
import { MAX_PICTURE_BYTES, MAX_TEXT_BYTES, previewOf, previewQuery, type StoredFile } from "../../data/files.ts";
import { problemOf } from "../../data/problem.ts";
import { bytesText } from "../../messages/bytes.ts";
import { words } from "../../messages/en-files.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ScrollRegion } from "../../ui/scroll-region.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Failure } from "../../ui/states.tsx";
import styles from "./files.module.css";

/** Shows bytes as a picture while the element exists. */
const picture = (blob: Blob) => (element: HTMLImageElement | null) => {
  if (!element) return undefined;
  const url = URL.createObjectURL(blob);
  element.src = url;
  return () => URL.revokeObjectURL(url);
};

interface PreviewDialogProps {
  file: StoredFile;
  onDownload: () => void;
  onClose: () => void;
}

/** A preview of a file. */
export function PreviewDialog({ file, onDownload, onClose }: PreviewDialogProps) {
  const { id: workspaceId } = useWorkspace();
  const kind = previewOf(file);
  const isShown = kind === "picture" || kind === "text";
  const { data, error, refetch } = useQuery({ ...previewQuery(workspaceId, file), enabled: isShown });
  const blob = data?.blob;
  const show = useMemo(() => (blob ? picture(blob) : undefined), [blob]);
  const content = () => {
    if (!isShown) return <p>{kind === "large" ? words.tooLarge(bytesText(MAX_PICTURE_BYTES)) : words.noPreview}</p>;
    if (error) return <Failure small problem={problemOf(error)} onRetry={() => void refetch()} />;
    if (!data) return <SkeletonRows rows={4} />;
    if (show) return <img ref={show} className={styles.picture} alt={file.name} />;
    return (
      <>
        <ScrollRegion as="pre" className={styles.text} label={file.name}>
          {data.text}
        </ScrollRegion>
        {data.cut ? <p>{words.cut(bytesText(MAX_TEXT_BYTES))}</p> : null}
      </>
    );
  };
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={file.name}
      description={`${bytesText(file.size)} · ${file.type}`}
      actions={
        <Button icon={<Download size={14} aria-hidden />} onClick={onDownload}>
          {words.download}
        </Button>
      }
    >
      {content()}
    </Dialog>
  );
}
