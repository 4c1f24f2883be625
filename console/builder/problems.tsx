import { X } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { words } from "../messages/en-builder.ts";
import { IconButton } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { useDocument } from "./document/index.ts";
import { FaultParts, faultRow } from "./fault-row.tsx";
import styles from "./problems.module.css";
import type { Scene } from "./scene.ts";
import type { FoundFault } from "./use-check.ts";

/** All faults of the workflow. Each row leads to its step. */
export function Problems({
  scene,
  faults,
  onClose,
}: {
  scene: Scene;
  faults: readonly FoundFault[];
  onClose: () => void;
}) {
  const state = useDocument(scene.doc);
  const region = useRef<HTMLElement>(null);
  const rows = () => [...(region.current?.querySelectorAll<HTMLElement>("li > button:enabled") ?? [])];
  useEffect(() => (rows()[0] ?? region.current?.querySelector("button"))?.focus(), []);
  /** The keys of its buttons. */
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") {
      onClose();
      scene.focus();
    } else if (by !== undefined) {
      const all = rows();
      all[all.indexOf(document.activeElement as HTMLElement) + by]?.focus();
    } else return;
    event.preventDefault();
  };
  return (
    <section ref={region} className={styles.problems} aria-label={words.problems}>
      <header className={styles.head}>
        <h2 className={styles.title}>{words.problems}</h2>
        <IconButton label={words.close} size="small" onClick={onClose} onKeyDown={onKeyDown}>
          <X size={16} aria-hidden />
        </IconButton>
      </header>
      {faults.length === 0 ? <p className={styles.none}>{words.noProblems}</p> : null}
      <ul className={styles.list}>
        {faults.map(fault => {
          const { nodeId, path, message } = fault;
          return (
            <li key={`${nodeId} ${path} ${message}`}>
              <button
                type="button"
                className={cx(faultRow, styles.row)}
                onKeyDown={onKeyDown}
                disabled={nodeId === undefined || !state.nodes.has(nodeId)}
                onClick={() => nodeId !== undefined && scene.select([nodeId])}
              >
                <FaultParts state={state} fault={fault} />
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
