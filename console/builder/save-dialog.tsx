import { useMemo } from "react";
import { m } from "../messages/index.ts";
import { words } from "../messages/en-builder.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ScrollRegion } from "../ui/scroll-region.tsx";
import styles from "./builder-parts.module.css";
import { compare } from "./diff/compare.ts";
import { DifferenceList } from "./diff/difference-list.tsx";
import type { DraftSaver } from "./draft-saver.ts";
import { MessageField } from "./message-field.tsx";
import { useMessage } from "./use-draft-saver.ts";

/** Saves with a message, beside a list of the changes. */
export function SaveDialog({ saver, save, onClose }: { saver: DraftSaver; save: () => void; onClose: () => void }) {
  const message = useMessage(saver);
  const base = saver.getBase();
  const differences = useMemo(() => compare(base, saver.draft()).differences, [base, saver]);
  const act = () => {
    onClose();
    save();
  };
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={words.saveTitle(base.version + 1)}
      actions={
        <>
          <Button onClick={onClose}>{m.cancel}</Button>
          <Button tone="primary" onClick={act}>
            {words.save}
          </Button>
        </>
      }
    >
      <MessageField hint={words.messageSave} value={message} onChange={text => saver.setMessage(text)} />
      <section className={styles.changes} aria-label={words.changesSince(base.version)}>
        <h3 className={styles.label}>{words.changesSince(base.version)}</h3>
        <ScrollRegion label={words.changesSince(base.version)}>
          <DifferenceList differences={differences.filter(({ mark }) => mark !== "moved")} />
        </ScrollRegion>
      </section>
    </Dialog>
  );
}
