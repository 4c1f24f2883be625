import type { ReactNode } from "react";
import { m } from "../messages/index.ts";
import { cx } from "./cx.ts";
import type { StatusName } from "./status-name.ts";
import styles from "./status.module.css";

export type { StatusName };

const stroke = { fill: "none", stroke: "currentColor", strokeWidth: 1.6, strokeLinecap: "round" as const };

/** Each state has its own shape, so that users need no colours to tell them apart. */
const SHAPES: Record<StatusName, ReactNode> = {
  completed: <path d="M3 8.500l3.300 3.300L13 5" {...stroke} strokeWidth={2} strokeLinejoin="round" />,
  running: <path d="M8 2.200a5.800 5.800 0 1 1-5.800 5.800" {...stroke} strokeWidth={2} />,
  retrying: (
    <g {...stroke} strokeWidth={2}>
      <path d="M8 2.200a5.800 5.800 0 1 1-5.800 5.800" />
      <path d="M8 2.200l2.400-1.200M8 2.200l2 2" strokeWidth={1.5} />
    </g>
  ),
  suspended: (
    <g {...stroke} strokeLinejoin="round">
      <path d="M4.500 2.200h7M4.500 13.800h7M5.500 2.200c0 3.200 5 4.200 5 5.800s-5 2.600-5 5.800M10.500 2.200c0 3.200-5 4.200-5 5.800s5 2.600 5 5.800" />
    </g>
  ),
  asking: (
    <g {...stroke} strokeWidth={1.4} strokeLinejoin="round">
      <path d="M5.200 8V3.600a1 1 0 0 1 2 0V7V2.600a1 1 0 0 1 2 0V7V3.600a1 1 0 0 1 2 0V9.600a4.400 4.400 0 0 1-4.400 4.400c-1.700 0-2.600-.7-3.400-2L2.600 9.400a1 1 0 0 1 1.700-1.100L5.200 9.400z" />
    </g>
  ),
  failed: (
    <g {...stroke} strokeLinejoin="round">
      <path d="M5.400 1.800h5.200l3.600 3.600v5.200l-3.600 3.600H5.400l-3.600-3.600V5.400z" />
      <path d="M6 6l4 4M10 6l-4 4" />
    </g>
  ),
  pending: <circle cx="8" cy="8" r="5.200" {...stroke} />,
  unstarted: <circle cx="8" cy="8" r="5.200" {...stroke} />,
  cancelled: (
    <g {...stroke}>
      <circle cx="8" cy="8" r="5.600" />
      <path d="M4.200 11.800l7.600-7.600" />
    </g>
  ),
  skipped: <circle cx="8" cy="8" r="5.200" {...stroke} strokeDasharray="2.200 2.600" />,
};

interface StatusProps {
  status: StatusName;
  /** Shows the word to screen readers only. */
  iconOnly?: boolean;
  size?: number;
  className?: string | undefined;
  /** Replaces the word. */
  children?: ReactNode;
}

/** A state, as a shape and a word. */
export function Status({ status, iconOnly = false, size = 16, className, children }: StatusProps) {
  return (
    <span className={cx(styles.status, styles[status], className)}>
      <svg width={size} height={size} viewBox="0 0 16 16" aria-hidden>
        {SHAPES[status]}
      </svg>
      <span className={iconOnly ? "visually-hidden" : styles.word}>{children ?? m.status[status]}</span>
    </span>
  );
}
