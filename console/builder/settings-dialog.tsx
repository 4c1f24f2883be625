import { useMemo } from "react";
import type { StepFormContext } from "../forms/step/context.ts";
import { StepForm } from "../forms/step/step-form.tsx";
import { m } from "../messages/index.ts";
import { words } from "../messages/en-builder.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextArea } from "../ui/field.tsx";
import { useBuilder } from "./builder-context.tsx";
import styles from "./builder-parts.module.css";
import { setMeta, setSetting, useDocument, valueAt } from "./document/index.ts";
import { PICKERS } from "./inspector/pickers/pickers.tsx";
import { invalidTextsOf } from "./invalid-texts.ts";
import type { Scene } from "./scene.ts";

const NO_PREVIEWS = { subscribe: () => () => undefined, at: () => undefined };

/** Settings for all runs of the workflow. Each change is an edit of the document, so it can be undone. */
export function SettingsDialog({ scene, onClose }: { scene: Scene; onClose: () => void }) {
  const { nodeTypes } = useBuilder();
  const { doc, readOnly } = scene;
  const { meta, root } = useDocument(doc);
  const context = useMemo<StepFormContext>(
    () => ({
      root: nodeTypes?.settingsSchema ?? {},
      change: (pointer, value) => void scene.apply(setSetting(pointer, value)),
      faults: new Map(),
      previews: NO_PREVIEWS,
      scope: () => undefined,
      literal: false,
      textsBelow: "",
      readOnly,
      unread: invalidTextsOf(doc, "\u0000settings"),
      pickers: PICKERS,
    }),
    [nodeTypes, scene, doc, readOnly],
  );
  return (
    <Dialog open wide onClose={onClose} title={words.settings} actions={<Button onClick={onClose}>{m.close}</Button>}>
      <div className={styles.settings}>
        <TextArea
          label={words.description}
          rows={2}
          readOnly={readOnly}
          value={meta.description ?? ""}
          maxLength={2_000}
          onChange={event => scene.apply(setMeta({ description: event.target.value }))}
        />
        {nodeTypes ? <StepForm context={context} schema={context.root} value={valueAt(root, "/settings")} /> : null}
      </div>
    </Dialog>
  );
}
