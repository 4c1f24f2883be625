import { useMemo } from "react";
import { m } from "../messages/index.ts";
import { words } from "../messages/en-builder.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ScrollRegion } from "../ui/scroll-region.tsx";
import styles from "./builder-parts.module.css";
import { compare } from "./diff/compare.ts";
import { DifferenceList } from "./diff/difference-list.tsx";
import type { Keeper } from "./keeper.ts";
import { MessageField } from "./message-field.tsx";
import { useMessage } from "./use-keeper.ts";

/** Saves with a message, beside a list of the changes. */
export function SaveDialog({ keeper, save, onClose }: { keeper: Keeper; save: () => void; onClose: () => void }) {
  const message = useMessage(keeper);
  const base = keeper.getBase();
  const differences = useMemo(() => compare(base, keeper.draft()).differences, [base, keeper]);
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
      <MessageField hint={words.messageSave} value={message} onChange={text => keeper.setMessage(text)} />
      <section className={styles.changes} aria-label={words.changesSince(base.version)}>
        <h3 className={styles.label}>{words.changesSince(base.version)}</h3>
        <ScrollRegion label={words.changesSince(base.version)}>
          <DifferenceList differences={differences.filter(({ mark }) => mark !== "moved")} />
        </ScrollRegion>
      </section>
    </Dialog>
  );
}
