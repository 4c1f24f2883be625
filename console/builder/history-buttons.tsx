import { Redo2, Undo2 } from "lucide-react";
import { words } from "../messages/en-builder.ts";
import { IconButton } from "../ui/button.tsx";
import { Keys } from "../ui/kbd.tsx";
import { MenuItem, MenuSeparator } from "../ui/menu.tsx";
import { Tooltip } from "../ui/tooltip.tsx";
import { undoOrRedo } from "./actions.ts";
import styles from "./builder-bar.module.css";
import { useHistoryOf } from "./document/index.ts";
import type { Scene } from "./scene.ts";

const useEnds = ({ doc }: Scene) => ({
  undo: useHistoryOf(doc, history => history.undo),
  redo: useHistoryOf(doc, history => history.redo),
});

/** Undo and redo, with the names of the edits that they concern. */
export function HistoryButtons({ scene }: { scene: Scene }) {
  const { undo, redo } = useEnds(scene);
  return (
    <span className={styles.history}>
      <Tooltip text={words.undo(undo)} keys={<Keys keys="mod z" />}>
        <IconButton label={words.undo(undo)} disabled={undo === undefined} onClick={() => undoOrRedo(scene, "undo")}>
          <Undo2 size={16} aria-hidden />
        </IconButton>
      </Tooltip>
      <Tooltip text={words.redo(redo)} keys={<Keys keys="mod shift z" />}>
        <IconButton label={words.redo(redo)} disabled={redo === undefined} onClick={() => undoOrRedo(scene, "redo")}>
          <Redo2 size={16} aria-hidden />
        </IconButton>
      </Tooltip>
    </span>
  );
}

/** The same in a menu, where the buttons have no room. */
export function HistoryItems({ scene }: { scene: Scene }) {
  const { undo, redo } = useEnds(scene);
  return (
    <>
      <MenuItem disabled={undo === undefined} onSelect={() => undoOrRedo(scene, "undo")}>
        {words.undo(undo)}
      </MenuItem>
      <MenuItem disabled={redo === undefined} onSelect={() => undoOrRedo(scene, "redo")}>
        {words.redo(redo)}
      </MenuItem>
      <MenuSeparator />
    </>
  );
}
