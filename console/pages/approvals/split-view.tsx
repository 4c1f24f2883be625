import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { answerTexts } from "../../messages/en-answers.ts";
import { Button } from "../../ui/button.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import styles from "./approvals.module.css";

interface SplitProps {
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

/** A list with its selected entry beside it. */
export function SplitView({ list, more, isOpen, back, onBack, children }: SplitProps) {
  const pane = children ?? (list === undefined ? <SkeletonRows /> : null);
  return (
    <div className={styles.layout} data-open={isOpen || undefined}>
      <div className={styles.list}>
        {list ?? <SkeletonRows />}
        {more.hasNextPage ? (
          <Button className={styles.more} busy={more.isFetchingNextPage} onClick={() => void more.fetchNextPage()}>
            {answerTexts.approvals.more}
          </Button>
        ) : null}
      </div>
      {pane ? (
        <div className={styles.pane}>
          <Button className={styles.back} tone="quiet" icon={<ArrowLeft size={16} aria-hidden />} onClick={onBack}>
            {back}
          </Button>
          {pane}
        </div>
      ) : null}
    </div>
  );
}
