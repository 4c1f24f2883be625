import { ChevronLeft, ChevronRight, Maximize, Minus, Plus } from "lucide-react";
import { timelineTexts as words } from "../../messages/en-timeline.ts";
import { durationText } from "../../messages/time.ts";
import { useCommands } from "../../shell/shortcuts.ts";
import { IconButton } from "../../ui/button.tsx";
import { Keys } from "../../ui/kbd.tsx";
import { Tooltip } from "../../ui/tooltip.tsx";
import type { Span } from "../fold/timescale.ts";
import styles from "./timeline.module.css";
import { moved, scaled } from "./zoom.ts";

interface ZoomToolsProps {
  shown: Span;
  whole: Span;
  onZoom: (span: Span | undefined) => void;
}

/** Buttons and keys that zoom and move the visible period. */
export function ZoomTools({ shown, whole, onZoom }: ZoomToolsProps) {
  const length = shown.to - shown.from;
  const isWhole = length >= whole.to - whole.from;
  const atEnd = shown.to >= whole.to;
  const atStart = shown.from <= whole.from;
  const tools = [
    { id: "out", label: words.zoomOut, keys: "-", off: isWhole, icon: Minus, run: () => scaled(shown, 2, whole) },
    { id: "in", label: words.zoomIn, keys: "+", off: false, icon: Plus, run: () => scaled(shown, 0.5, whole) },
    { id: "whole", label: words.whole, keys: "1", off: isWhole, icon: Maximize, run: () => undefined },
    {
      id: "earlier",
      label: words.earlier,
      off: atStart,
      icon: ChevronLeft,
      run: () => moved(shown, -length / 2, whole),
    },
    { id: "later", label: words.later, off: atEnd, icon: ChevronRight, run: () => moved(shown, length / 2, whole) },
  ];
  useCommands(
    tools.flatMap(({ id, label, keys, off, run }) =>
      keys === undefined || off ? [] : [{ id: `timeline-${id}`, title: label, keys, run: () => onZoom(run()) }],
    ),
  );
  return (
    <div className={styles.tools} role="group" aria-label={words.tools}>
      {tools.map(({ id, label, keys, off, icon: Icon, run }) => (
        <Tooltip key={id} text={label} keys={keys && <Keys keys={keys} />}>
          <IconButton
            label={label}
            size="small"
            aria-disabled={off || undefined}
            onClick={() => {
              if (!off) onZoom(run());
            }}
          >
            <Icon size={14} aria-hidden />
          </IconButton>
        </Tooltip>
      ))}
      <span className="visually-hidden" role="status">
        {isWhole ? "" : words.shown(durationText(shown.from - whole.from), durationText(shown.to - whole.from))}
      </span>
    </div>
  );
}
