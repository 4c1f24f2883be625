import { useVirtualizer } from "@tanstack/react-virtual";
import { ListTree, Table2, TextInitial } from "lucide-react";
import { useMemo, useRef } from "react";
import { values as words } from "../messages/en-values.ts";
import { m } from "../messages/index.ts";
import { IconButton } from "../ui/button.tsx";
import styles from "./alternative-view.module.css";
import { cellText, columnsOf, otherViewOf } from "./columns.ts";

const ROW = 28;
/** The most characters in a cell. */
const MAX_CELL = 300;

interface TableProps {
  rows: readonly unknown[];
  /** Shows a row in the tree. */
  onRow: (n: number) => void;
}

/** A table for an array of objects. Only visible rows are rendered. */
function Table({ rows, onRow }: TableProps) {
  const columns = useMemo(() => columnsOf(rows), [rows]);
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 20,
  });
  const items = virtual.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <div ref={scroller} className={styles.scroller}>
      <table className={styles.table} aria-rowcount={rows.length + 1}>
        <colgroup>
          <col style={{ inlineSize: `${String(rows.length).length + 4}ch` }} />
          {columns.map(({ key, width }) => (
            <col key={key} style={{ inlineSize: `${width + 3}ch` }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">{words.row}</span>
            </th>
            {columns.map(({ key, isNumeric }) => (
              <th key={key} scope="col" title={key} className={isNumeric ? styles.number : undefined}>
                {key}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {before > 0 ? <tr aria-hidden style={{ blockSize: before }} /> : null}
          {items.map(({ index }) => {
            const row = rows[index] as Record<string, unknown>;
            return (
              <tr key={index} aria-rowindex={index + 2}>
                <th scope="row">
                  <button
                    type="button"
                    aria-label={words.rowToTree(index)}
                    title={words.rowToTree(index)}
                    onClick={() => onRow(index)}
                  >
                    {m.number(index)}
                  </button>
                </th>
                {columns.map(({ key, isNumeric }) => {
                  const text = cellText(row[key]).slice(0, MAX_CELL);
                  return (
                    <td key={key} title={text} className={isNumeric ? styles.number : undefined}>
                      {text}
                    </td>
                  );
                })}
              </tr>
            );
          })}
          {after > 0 ? <tr aria-hidden style={{ blockSize: after }} /> : null}
        </tbody>
      </table>
    </div>
  );
}

const ICONS = { tree: ListTree, table: Table2, text: TextInitial };

interface ViewButtonProps {
  value: unknown;
  /** Whether the table or text is shown instead of the tree. */
  isOther: boolean;
  onToggle: () => void;
}

/** Switches between the tree and the other view of a value. Renders nothing if there is no other view. */
export function ViewButton({ value, isOther, onToggle }: ViewButtonProps) {
  const view = isOther ? "tree" : otherViewOf(value);
  if (view === undefined) return null;
  const Icon = ICONS[view];
  return (
    <IconButton label={words.views[view]} title={words.views[view]} size="small" onClick={onToggle}>
      <Icon size={14} aria-hidden />
    </IconButton>
  );
}

interface OtherViewProps {
  value: unknown;
  onRow: (n: number) => void;
}

/** A value as a table or as text. */
export function AlternativeView({ value, onRow }: OtherViewProps) {
  if (Array.isArray(value)) return <Table rows={value} onRow={onRow} />;
  return <textarea readOnly className={styles.text} aria-label={words.text} value={String(value)} />;
}
