import { ArrowLeft } from "lucide-react";
import { type ReactNode, type RefObject, useRef } from "react";
import { answerTexts } from "../../messages/en-answers.ts";
import { Button } from "../../ui/button.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import styles from "./approvals.module.css";

interface SplitProps {
  view: RefObject<HTMLDivElement | null>;
  /** The list. Undefined while it loads. */
  list: ReactNode;
  more: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
  /** Whether the pane replaces the list on a narrow screen. */
  isOpen: boolean;
  back: string;
  onBack: () => void;
  /** The pane beside the list. */
  children: ReactNode;
}

/** Moves the focus within a list that has its selected entry beside it. Its entries have `data-entry`. */
export function useSplitFocus() {
  const view = useRef<HTMLDivElement>(null);
  return {
    view,
    toEntry: (n: number) => view.current?.querySelectorAll<HTMLElement>("[data-entry]")[n]?.focus(),
    toPane: () => view.current?.querySelector<HTMLElement>("[data-pane]")?.focus(),
  };
}

/** A list with its selected entry beside it. */
export function SplitView({ view, list, more, isOpen, back, onBack, children }: SplitProps) {
  const pane = children ?? (list === undefined ? <SkeletonRows /> : null);
  return (
    <div ref={view} className={styles.layout} data-open={isOpen || undefined}>
      <div className={styles.list}>
        {list ?? <SkeletonRows />}
        {more.hasNextPage ? (
          <Button className={styles.more} busy={more.isFetchingNextPage} onClick={() => void more.fetchNextPage()}>
            {answerTexts.approvals.more}
          </Button>
        ) : null}
      </div>
      {pane ? (
        <div className={styles.pane} data-pane tabIndex={-1}>
          <Button className={styles.back} tone="quiet" icon={<ArrowLeft size={16} aria-hidden />} onClick={onBack}>
            {back}
          </Button>
          {pane}
        </div>
      ) : null}
    </div>
  );
}
