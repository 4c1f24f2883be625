import { useVirtualizer } from "@tanstack/react-virtual";
import { ChevronRight, Copy, Download, Search } from "lucide-react";
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  Suspense,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from "react";
import { runTexts } from "../messages/en-run.ts";
import { m } from "../messages/index.ts";
import { IconButton } from "../ui/button.tsx";
import { copy } from "../ui/copy.ts";
import { cx } from "../ui/cx.ts";
import { lazy } from "../ui/lazy.tsx";
import { Menu, MenuItem } from "../ui/menu.tsx";
import { save } from "../ui/save.ts";
import { toast } from "../ui/toast.tsx";
import styles from "./json-view.module.css";
import { expressionOf, find, type Line, linesOf, openedTo } from "./lines.ts";
import tree from "./tree.module.css";

const ViewButton = lazy(() => import("./alternative-view.tsx"), "ViewButton");
const AlternativeView = lazy(() => import("./alternative-view.tsx"), "AlternativeView");

const MAX_TEXT = 400;

function valueText({ kind, value, size, open }: Line): string {
  if (kind === "object") return open ? "{" : size === 0 ? "{}" : `{ ${runTexts.json.members(size)} }`;
  if (kind === "array") return open ? "[" : size === 0 ? "[]" : `[ ${runTexts.json.items(size)} ]`;
  if (kind === "string") {
    const text = value as string;
    return JSON.stringify(text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text);
  }
  return JSON.stringify(value ?? null);
}

interface JsonViewProps {
  value: unknown;
  /** The expression that gives the whole value, such as `steps.fetch`. */
  root: string;
  /** The name of the downloaded file, without its extension. */
  name: string;
  /** A JSON Pointer to the place that is shown first. */
  pointer?: string | undefined;
  /** Further buttons. */
  actions?: ReactNode;
}

async function copied(text: string) {
  if (await copy(text)) toast.done(m.copied);
}

/** Shows a JSON value of any size. Only visible lines are rendered. */
export function JsonView({ value, root, name, pointer = "", actions }: JsonViewProps) {
  const id = useId();
  const [toggled, setToggled] = useState<ReadonlySet<string>>(() => openedTo(value, new Set(), pointer));
  const [words, setWords] = useState("");
  const [at, setAt] = useState(0);
  const [focus, setFocus] = useState(pointer);
  /** The pointer to the value that is shown as a table or as text. */
  const [other, setOther] = useState<string>();
  const found = useMemo(() => (words.length > 1 ? find(value, words) : undefined), [value, words]);
  const lines = useMemo(() => linesOf(value, toggled), [value, toggled]);
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 20,
    overscan: 30,
  });
  const toggle = (line: Line) => {
    if (line.size === 0) return;
    setToggled(before => {
      const next = new Set(before);
      if (!next.delete(line.pointer)) next.add(line.pointer);
      return next;
    });
  };
  const goTo = (pointer: string) => {
    const next = openedTo(value, toggled, pointer);
    setToggled(next);
    setFocus(pointer);
    const n = linesOf(value, next).findIndex(line => line.pointer === pointer);
    // The list gets its new length when this is rendered.
    if (n >= 0) requestAnimationFrame(() => virtual.scrollToIndex(n, { align: "center" }));
  };
  // The place is scrolled to once. After that only the user scrolls.
  const unseen = useRef(pointer);
  useEffect(() => {
    const n = unseen.current === "" ? -1 : lines.findIndex(line => line.pointer === unseen.current);
    unseen.current = "";
    if (n >= 0) virtual.scrollToIndex(n, { align: "center" });
  }, [lines, virtual]);
  const onSearchKey = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || found === undefined || found.length === 0) return;
    const step = event.shiftKey ? found.length - 1 : 1;
    const next = focus === "" ? 0 : (at + step) % found.length;
    setAt(next);
    goTo(found[next]!);
  };
  const current = lines.find(({ pointer }) => pointer === focus) ?? lines[0];
  const onKey = (event: KeyboardEvent) => {
    const n = lines.findIndex(({ pointer }) => pointer === current?.pointer);
    const to = { ArrowDown: n + 1, ArrowUp: n - 1, Home: 0, End: lines.length - 1 }[event.key];
    if (to !== undefined && lines[to]) {
      event.preventDefault();
      setFocus(lines[to].pointer);
      virtual.scrollToIndex(to);
    } else if (
      current &&
      ((event.key === "ArrowRight" && !current.open) ||
        (event.key === "ArrowLeft" && current.open) ||
        event.key === "Enter")
    ) {
      event.preventDefault();
      toggle(current);
    }
  };
  // The tree has the focus, and handles keys and clicks for its lines.
  const onClick = ({ target }: MouseEvent) => {
    const n = (target as Element).closest<HTMLElement>("[data-line]")?.dataset.line;
    const line = n === undefined ? undefined : lines[Number(n)];
    if (!line) return;
    setFocus(line.pointer);
    toggle(line);
  };
  const showsOther = other !== undefined && other === focus;
  const lineId = (line: Line) => `${id}${line.pointer}`;
  const text = () => JSON.stringify(value, null, 2) ?? "null";
  return (
    <div className={styles.view}>
      <div className={styles.tools}>
        <label className={styles.search}>
          <Search size={13} aria-hidden />
          <input
            type="search"
            value={words}
            placeholder={runTexts.json.search}
            aria-label={runTexts.json.search}
            onChange={event => {
              setWords(event.target.value);
              setAt(0);
              setFocus("");
            }}
            onKeyDown={onSearchKey}
          />
          {found ? <span className={styles.count}>{runTexts.json.found(found.length)}</span> : null}
        </label>
        <Suspense fallback={null}>
          <ViewButton
            value={current?.value}
            isOther={showsOther}
            onToggle={() => setOther(showsOther ? undefined : focus)}
          />
        </Suspense>
        {actions}
        <Menu
          align="end"
          trigger={
            <IconButton label={runTexts.json.copy} size="small">
              <Copy size={14} aria-hidden />
            </IconButton>
          }
        >
          <MenuItem onSelect={() => void copied(current && focus ? JSON.stringify(current.value, null, 2) : text())}>
            {runTexts.json.copyValue}
          </MenuItem>
          <MenuItem onSelect={() => void copied(current?.pointer ?? "")}>{runTexts.json.copyPointer}</MenuItem>
          <MenuItem onSelect={() => void copied(`{{ ${expressionOf(root, current?.pointer ?? "")} }}`)}>
            {runTexts.json.copyExpression}
          </MenuItem>
        </Menu>
        <IconButton
          label={runTexts.json.download}
          size="small"
          onClick={() => save(text(), `${name}.json`, "application/json")}
        >
          <Download size={14} aria-hidden />
        </IconButton>
      </div>
      {showsOther ? (
        <Suspense fallback={null}>
          <AlternativeView
            value={current?.value}
            onRow={n => {
              setOther(undefined);
              goTo(`${current?.pointer ?? ""}/${n}`);
            }}
          />
        </Suspense>
      ) : null}
      <div
        ref={scroller}
        hidden={showsOther}
        className={tree.scroller}
        role="tree"
        aria-label={runTexts.json.value}
        tabIndex={0}
        aria-activedescendant={current ? lineId(current) : undefined}
        onKeyDown={onKey}
        onClick={onClick}
      >
        <div style={{ blockSize: virtual.getTotalSize() }} className={tree.lines}>
          {virtual.getVirtualItems().map(({ index, key, start, size }) => {
            const line = lines[index]!;
            const nested = line.size > 0;
            return (
              <div
                key={key}
                id={lineId(line)}
                data-line={index}
                role="treeitem"
                aria-level={line.depth + 1}
                aria-selected={line.pointer === focus}
                {...(nested && { "aria-expanded": line.open })}
                className={cx(tree.line, styles.line, line.pointer === focus && focus !== "" && styles.focus)}
                style={{
                  transform: `translateY(${start}px)`,
                  blockSize: size,
                  paddingInlineStart: 8 + line.depth * 14,
                }}
              >
                <span className={tree.twist} data-open={line.open || undefined}>
                  {nested ? <ChevronRight size={12} aria-hidden /> : null}
                </span>
                {line.label === undefined ? null : <span className={styles.key}>{line.label}: </span>}
                <span className={cx(styles.value, styles[line.kind])}>{valueText(line)}</span>
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}
