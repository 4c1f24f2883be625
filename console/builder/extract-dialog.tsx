import { useMutation } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { isRecord } from "../data/json.ts";
import { createIn } from "../data/new-workflow.ts";
import { faultAt, problemOf } from "../data/problem.ts";
import { m } from "../messages/index.ts";
import { words } from "../messages/en-builder.ts";
import { words as texts } from "../messages/en-extract.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { Notice } from "../ui/states.tsx";
import { useBuilder } from "./builder-context.tsx";
import styles from "./builder-parts.module.css";
// Not part of the document's index, so that only this dialog loads it.
import { extract, extraction, readInside } from "./document/commands/extract.ts";
import { freeId, nameOf } from "./document/index.ts";
import type { Scene } from "./scene.ts";
import { fieldForResource } from "./use-step-suggestions.ts";

const MAX_NAME = 200;
const MAX_READERS = 10;

/** Turns the selected steps into a workflow of their own, and replaces them with one step that runs it. */
export function ExtractDialog({ scene, onClose }: { scene: Scene; onClose: () => void }) {
  const { nodeTypes, workspaceId, spaceId } = useBuilder();
  const { doc, isLiteral, startsRun } = scene;
  const state = doc.getState();
  const { nodes: selected } = scene.getView();
  const [name, setName] = useState(() => (selected[0] === undefined ? "" : nameOf(state, selected[0])));
  const places = new Map([...scene.boxes().own].map(([id, { x, y }]) => [id, { x, y }]));
  const found = extraction(state, selected, { places, isLiteral, startsRun });
  const inside = found === "names" ? readInside(state, selected, isLiteral).slice(0, MAX_READERS) : [];
  const field = fieldForResource(nodeTypes?.types ?? [], "workflow");
  const make = useMutation({
    async mutationFn() {
      if (typeof found === "string" || !field) return;
      const { id: workflowId } = await createIn({ workspaceId, spaceId }, name.trim(), found.definition);
      const id = freeId(doc.getState(), field.info.type);
      const data = {
        ...field.info.defaults,
        [field.field]: workflowId,
        ...("input" in found && { input: found.input }),
      };
      const node = { id, type: field.info.type, name: name.trim(), parentId: found.parentId, position: found.at, data };
      scene.apply(extract(found, node, isLiteral));
      scene.select([id]);
      scene.say(words.said.extracted(found.ids.length, name.trim()));
    },
    onSuccess() {
      onClose();
      scene.focus();
    },
    meta: { shown: true },
  });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    make.mutate();
  };
  const fault = faultAt(make.error, "/name");
  const problem = make.error && !fault ? problemOf(make.error) : undefined;
  const reads = typeof found !== "string" && isRecord(found.input) ? Object.values(found.input) : [];
  return (
    <Dialog
      open
      onClose={onClose}
      title={texts.title}
      actions={
        <>
          <Button onClick={onClose}>{m.cancel}</Button>
          {typeof found === "string" ? null : (
            <Button tone="primary" type="submit" form="extract" busy={make.isPending}>
              {texts.act}
            </Button>
          )}
        </>
      }
    >
      {typeof found === "string" ? (
        <Notice tone="warn">
          {texts.refusal[found]}
          {inside.length > 0 ? (
            <ul>
              {inside.map(({ reader, read }) => (
                <li key={`${reader} ${read}`}>{texts.readBy(nameOf(state, reader), nameOf(state, read))}</li>
              ))}
            </ul>
          ) : null}
        </Notice>
      ) : (
        <form id="extract" className={styles.form} onSubmit={submit}>
          {problem ? (
            <Notice tone="bad">
              {problem.title}. {problem.detail}
            </Notice>
          ) : null}
          <p>{texts.text(found.ids.length)}</p>
          <TextField
            label={texts.name}
            required
            value={name}
            maxLength={MAX_NAME}
            error={fault}
            onChange={event => setName(event.target.value)}
          />
          {reads.length > 0 ? (
            <div>
              <p className={styles.label}>{texts.reads}</p>
              <ul>
                {reads.map(one => (
                  <li key={String(one)}>
                    <code>{String(one)}</code>
                  </li>
                ))}
              </ul>
            </div>
          ) : null}
        </form>
      )}
    </Dialog>
  );
}
