import { useVirtualizer } from "@tanstack/react-virtual";
import { ChevronRight } from "lucide-react";
import { type KeyboardEvent, memo, type SyntheticEvent, use, useMemo, useRef, useState } from "react";
import { useSyncExternalStore } from "react";
import { PATH_TYPE } from "../../editor/dragged.ts";
import { LastFieldContext } from "../../editor/last-field.ts";
import { pathText } from "../../editor/path.ts";
import { briefly } from "../../editor/sample.ts";
import type { Line } from "../../json/lines.ts";
import { words } from "../../messages/en-inspector.ts";
import { cx } from "../../ui/cx.ts";
import { Empty } from "../../ui/states.tsx";
import tree from "../../json/tree.module.css";
import styles from "./sample-tree.module.css";
import { pathOf, scopeLines } from "./sample-lines.ts";
import type { SampleStore } from "./sample-store.ts";

const ROW = 24;

interface SampleTreeProps {
  samples: SampleStore;
  steps: readonly string[];
}

/**
 * The values that the step can read, as a tree. Users drag a value into a field, or press Enter to insert it into the
 * last field.
 */
export const SampleTree = memo(function SampleTree({ samples, steps }: SampleTreeProps) {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const [focus, setFocus] = useState<string>();
  const [said, setSaid] = useState("");
  const last = use(LastFieldContext);
  const scroller = useRef<HTMLDivElement>(null);
  const scope = useSyncExternalStore(samples.subscribe, () => samples.scope(steps));
  const lines = useMemo(() => scopeLines(scope, toggled), [scope, toggled]);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 20,
  });
  const at = Math.max(
    0,
    lines.findIndex(({ pointer }) => pointer === focus),
  );
  const toggle = (line: Line) => {
    if (line.size === 0) return;
    const next = new Set(toggled);
    if (!next.delete(line.pointer)) next.add(line.pointer);
    setToggled(next);
  };
  const insert = (line: Line) => {
    const path = pathOf(scope, line.pointer);
    const text = pathText(path, "expression") ?? "";
    const { target } = last;
    if (!target) setSaid(words.noField);
    else setSaid(target.insert(path) ? words.inserted(text, target.label) : words.notNameable);
  };
  const go = (n: number) => {
    const line = lines[n];
    if (!line) return;
    setFocus(line.pointer);
    virtual.scrollToIndex(n);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const line = lines[at];
    if (!line) return;
    const acts: Record<string, () => void> = {
      ArrowDown: () => go(at + 1),
      ArrowUp: () => go(at - 1),
      Home: () => go(0),
      End: () => go(lines.length - 1),
      ArrowRight: () => (line.open ? go(at + 1) : toggle(line)),
      ArrowLeft: () =>
        line.open ? toggle(line) : go(lines.findLastIndex(({ depth }, n) => n < at && depth < line.depth)),
      " ": () => toggle(line),
      Enter: () => insert(line),
    };
    if (!acts[event.key]) return;
    event.preventDefault();
    acts[event.key]!();
  };
  // The tree has the focus, and handles keys and the pointer for its lines.
  const lineOf = ({ target }: SyntheticEvent) =>
    lines[Number((target as Element).closest<HTMLElement>("[data-line]")?.dataset.line)];
  return (
    <section className={styles.values} aria-label={words.values}>
      <p className={styles.hint}>{said || words.insertHint}</p>
      <div className="visually-hidden" role="status">
        {said}
      </div>
      {lines.length === 0 ? (
        <Empty title={words.noSample} small>
          {words.noSampleDetail}
        </Empty>
      ) : (
        <div
          ref={scroller}
          className={tree.scroller}
          role="tree"
          aria-label={words.values}
          aria-activedescendant={`value-${at}`}
          tabIndex={0}
          onKeyDown={onKeyDown}
          onClick={event => {
            const line = lineOf(event);
            if (!line) return;
            setFocus(line.pointer);
            toggle(line);
          }}
          onDoubleClick={event => {
            const line = lineOf(event);
            if (line?.size === 0) insert(line);
          }}
          onDragStart={event => {
            const line = lineOf(event);
            if (!line) return;
            const path = pathOf(scope, line.pointer);
            event.dataTransfer.setData(PATH_TYPE, JSON.stringify(path));
            event.dataTransfer.setData("text/plain", `{{ ${pathText(path, "expression") ?? ""} }}`);
            event.dataTransfer.effectAllowed = "copy";
          }}
        >
          <div className={tree.lines} style={{ blockSize: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map(({ index, key, start }) => {
              const line = lines[index]!;
              return (
                <div
                  key={key}
                  id={`value-${index}`}
                  data-line={index}
                  role="treeitem"
                  aria-level={line.depth}
                  aria-selected={index === at}
                  {...(line.size > 0 && { "aria-expanded": line.open })}
                  className={cx(tree.line, styles.line, index === at && styles.current)}
                  style={{ transform: `translateY(${start}px)`, paddingInlineStart: (line.depth - 1) * 14 + 4 }}
                  draggable
                >
                  <span className={tree.twist} data-open={line.open || undefined}>
                    {line.size > 0 ? <ChevronRight size={12} aria-hidden /> : null}
                  </span>
                  <span className={styles.key}>{line.label}</span>
                  <span className={cx(styles.value, styles[line.kind])}>{briefly(line.value)}</span>
                </div>
              );
            })}
          </div>
        </div>
      )}
    </section>
  );
});
