import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { versionsQuery, type WorkflowAddress } from "../../data/builder.ts";
import { useMemberNames } from "../../data/workspaces.ts";
import { m } from "../../messages/index.ts";
import { words } from "../../messages/en-builder.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { Avatar, colourOf } from "../../ui/avatar.tsx";
import { compare } from "../diff/compare.ts";
import { DifferenceList } from "../diff/difference-list.tsx";
import type { BuilderDocument, Command } from "../document/index.ts";
import { type DocumentState, nameOf, readDefinition } from "../document/index.ts";
import type { Conflict, WorkflowContent } from "../draft.ts";
import type { DraftSaver } from "../draft-saver.ts";
import { merge, resolveMerge } from "./merge.ts";
import styles from "./merge.module.css";
import { MergedPicture } from "./merged-picture.tsx";

const textOf = (value: unknown): string =>
  value === undefined ? words.merge.deleted : typeof value === "string" ? value : JSON.stringify(value, null, 2);

/** Describes a place of a merge: the step and the field. */
function placeText(state: DocumentState, { kind, id, pointer }: { kind: string; id: string; pointer: string }): string {
  const field = pointer
    .split("/")
    .slice(1)
    .filter((part, n) => n > 0 || part !== "data")
    .join(" › ");
  const name = kind === "node" ? nameOf(state, id) : kind === "edge" ? words.connection : id;
  return field === "" ? name : `${name} › ${field}`;
}

/** Applies a merged workflow to the document as one edit that can be undone. */
const takeIn = ({ meta, definition }: WorkflowContent): Command => ({
  label: words.command.merge,
  apply(state) {
    const next = readDefinition(definition, meta);
    // Edges get new keys, so that equal keys of both states are not confused.
    let { nextKey } = state;
    const edges = new Map([...next.edges].map(([key, edge]) => [key.startsWith("e") ? `e${nextKey++}` : key, edge]));
    return { ...next, edges, nextKey };
  },
});

/** The names of the people who saved the other versions. */
function useAuthors(at: WorkflowAddress, { base, theirs }: Conflict): string[] {
  const { data } = useQuery({ ...versionsQuery(at), staleTime: 0 });
  const names = useMemberNames(at.workspaceId);
  const made = (data ?? []).filter(({ version }) => version > base.version && version <= theirs.version);
  return [...new Set(made.flatMap(({ createdBy }) => names.get(createdBy) ?? []))];
}

interface MergeDialogProps {
  at: WorkflowAddress;
  doc: BuilderDocument;
  saver: DraftSaver;
  conflict: Conflict;
  save: () => void;
}

/**
 * Shown when two people saved different changes. It shows the merged result, and asks for each field that both changed.
 */
export function MergeDialog({ at, doc, saver, conflict, save }: MergeDialogProps) {
  const { base, theirs } = conflict;
  const mine = useMemo((): WorkflowContent => ({ meta: doc.getState().meta, definition: doc.toDefinition() }), [doc]);
  const merged = useMemo(() => merge(base, mine, theirs), [base, mine, theirs]);
  const [taken, setTaken] = useState<ReadonlySet<number>>(new Set());
  const state = useMemo(() => readDefinition(theirs.definition), [theirs]);
  const authors = useAuthors(at, conflict);
  // Fields for which the user chose the other version count as theirs.
  const comparison = useMemo(() => compare(mine, resolveMerge(base, mine, theirs, taken)), [base, mine, theirs, taken]);
  const gained = comparison.differences.filter(({ mark }) => mark !== "moved");
  const own = doc.getState();
  const stateFor = (id: string) => (own.nodes.has(id) ? own : state);
  const act = () => {
    saver.rebase(theirs);
    doc.apply(takeIn(resolveMerge(base, mine, theirs, taken)));
    save();
  };
  const choose = (n: number, side: string) => {
    const next = new Set(taken);
    if (side === "theirs") next.add(n);
    else next.delete(n);
    setTaken(next);
  };
  return (
    <Dialog
      open
      wide
      onClose={() => saver.dismiss()}
      title={words.merge.title}
      description={merged.clashes.length > 0 ? words.merge.text(theirs.version) : words.merge.fits(theirs.version)}
      actions={
        <>
          <Button onClick={() => saver.dismiss()}>{m.cancel}</Button>
          <Button tone="primary" onClick={act}>
            {words.merge.act}
          </Button>
        </>
      }
    >
      {merged.clashes.length > 0 ? (
        <section className={styles.part}>
          <h3 className={styles.title}>{words.merge.ask}</h3>
          {merged.clashes.map((clash, n) => (
            <div key={`${clash.kind} ${clash.id} ${clash.pointer}`} className={styles.clash}>
              <Segmented
                label={placeText(stateFor(clash.id), clash)}
                value={taken.has(n) ? "theirs" : "mine"}
                options={[
                  { value: "mine", label: words.merge.mine },
                  { value: "theirs", label: words.merge.other },
                ]}
                onChange={side => choose(n, side)}
              />
              <div className={styles.values}>
                <pre data-chosen={!taken.has(n) || undefined}>{textOf(clash.mine)}</pre>
                <pre data-chosen={taken.has(n) || undefined}>{textOf(clash.theirs)}</pre>
              </div>
            </div>
          ))}
        </section>
      ) : null}
      {gained.length > 0 ? (
        <section
          className={styles.theirs}
          // Among several people, this is the one who saved last.
          style={{ ["--theirs" as string]: authors.length > 0 ? colourOf(authors.at(-1)!) : undefined }}
        >
          <h3 className={styles.title}>
            {authors.map(name => (
              <Avatar key={name} name={name} size={20} coloured />
            ))}
            {words.merge.theirs(authors)}
          </h3>
          <MergedPicture comparison={comparison} workspaceId={at.workspaceId} />
          <DifferenceList differences={gained} />
        </section>
      ) : null}
    </Dialog>
  );
}
