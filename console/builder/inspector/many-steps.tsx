import { Ban, Copy, CopyPlus, Network, PackageOpen, Scissors, Trash2, TriangleAlert, X } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { words as builderWords } from "../../messages/en-builder.ts";
import { words } from "../../messages/en-inspector.ts";
import { m } from "../../messages/index.ts";
import { IconButton } from "../../ui/button.tsx";
import { Keys } from "../../ui/kbd.tsx";
import { useBuilder } from "../builder-context.tsx";
import { TypeIcon } from "../canvas/icons.tsx";
import { isDisabled, nameOf, typeOf as nodeTypeOf, useDocument } from "../document/index.ts";
import type { Scene } from "../scene.ts";
import { type SelectionAction, selectionActions } from "../selection-actions.ts";
import { refocus } from "../take-focus.ts";
import inspector from "./inspector.module.css";
import styles from "./many-steps.module.css";
import { useWidth } from "./use-width.ts";
import { WidthEdge } from "./width-edge.tsx";

/** More selected steps are counted, not listed. */
const MAX_LISTED = 100;

function Act({ of: [title, keys, act], icon, label }: { of: SelectionAction; icon: ReactNode; label?: string }) {
  return (
    <li>
      <button type="button" className={styles.act} data-act onClick={act}>
        {icon}
        <span className={styles.label}>{label ?? title}</span>
        <Keys keys={keys} />
      </button>
    </li>
  );
}

/** How many steps of each type there are, the most frequent type first. */
const countsOf = (titles: readonly string[]): [title: string, n: number][] =>
  [...Map.groupBy(titles, title => title)]
    .map(([title, all]): [string, number] => [title, all.length])
    .toSorted(([, a], [, b]) => b - a);

/** What many selected steps are, and what can be done with all of them. */
export function ManySteps({ scene, nodes }: { scene: Scene; nodes: readonly string[] }) {
  const { doc, workspaceId, typeOf, readOnly, faults } = useBuilder();
  const state = useDocument(doc);
  const width = useWidth();
  const acts = selectionActions(scene, workspaceId);
  const off = nodes.filter(id => isDisabled(state.nodes.get(id))).length;
  const typeIn = (id: string) => nodeTypeOf(state.nodes.get(id));
  const titleIn = (id: string) => typeOf(typeIn(id))?.title ?? typeIn(id);
  // Its buttons go with it, once one step or none is selected.
  useEffect(() => () => refocus(scene), [scene]);
  const isAll = (n: number) => n === nodes.length;
  return (
    <aside
      className={inspector.inspector}
      style={{ inlineSize: width.width }}
      aria-label={builderWords.said.selected(nodes.length)}
    >
      <WidthEdge {...width} />
      <header className={inspector.head}>
        <div className={inspector.titles}>
          <h2 className={styles.title}>{builderWords.said.selected(nodes.length)}</h2>
          <p className={styles.types}>
            {words.many.types(countsOf(nodes.map(titleIn)))}
            {off > 0 ? ` · ${words.many.disabled(off)}` : ""}
          </p>
        </div>
        <IconButton label={m.close} size="small" onClick={() => scene.select([])}>
          <X size={16} aria-hidden />
        </IconButton>
      </header>
      <div className={inspector.scroll} data-form>
        <ul className={styles.acts} aria-label={words.many.acts}>
          <Act of={acts.copy} icon={<Copy size={14} aria-hidden />} />
          {readOnly ? null : (
            <>
              <Act of={acts.cut} icon={<Scissors size={14} aria-hidden />} />
              <Act of={acts.duplicate} icon={<CopyPlus size={14} aria-hidden />} />
              <Act
                of={acts.disable}
                icon={<Ban size={14} aria-hidden />}
                label={isAll(off) ? words.many.enable : words.many.disable}
              />
              <Act of={acts.extract} icon={<PackageOpen size={14} aria-hidden />} />
              <Act of={acts.tidy} icon={<Network size={14} aria-hidden />} />
              <Act of={acts.remove} icon={<Trash2 size={14} aria-hidden />} />
            </>
          )}
        </ul>
        <ul className={styles.steps} aria-label={words.many.steps}>
          {nodes.slice(0, MAX_LISTED).map(id => (
            <li key={id} className={styles.step}>
              <button type="button" className={styles.pick} onClick={() => scene.select([id])}>
                <TypeIcon info={typeOf(typeIn(id))} type={typeIn(id)} />
                <span className={styles.label}>{nameOf(state, id)}</span>
                {isDisabled(state.nodes.get(id)) ? <Ban size={14} aria-label={builderWords.disabled} /> : null}
                {faults.has(id) ? (
                  <TriangleAlert
                    size={14}
                    className={styles.fault}
                    aria-label={builderWords.faults(faults.get(id)!.length)}
                  />
                ) : null}
              </button>
              <IconButton
                label={words.many.leaveOut(nameOf(state, id))}
                size="small"
                onClick={() => {
                  scene.select(nodes.filter(each => each !== id));
                  refocus(scene);
                }}
              >
                <X size={14} aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
        {nodes.length > MAX_LISTED ? <p className={styles.more}>{words.many.more(nodes.length - MAX_LISTED)}</p> : null}
      </div>
    </aside>
  );
}
