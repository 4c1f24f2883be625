import { RotateCw, Search, SearchX, Unplug } from "lucide-react";
import type { ReactNode } from "react";
import { m } from "../messages/index.ts";
import { Button } from "./button.tsx";
import { CopyText } from "./copy-text.tsx";
import { cx } from "./cx.ts";
import { useMissingSearch } from "./missing-search.ts";
import { useRemedy } from "./remedy.ts";
import styles from "./states.module.css";
import { useClockText } from "./time.tsx";
import { useWhoMay } from "./who-may.ts";

interface EmptyProps {
  icon?: ReactNode;
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  /** Within a card, with less room around. */
  small?: boolean;
}

/** What is said where there is nothing yet, with the one thing to do about it. */
export function Empty({ icon, title, children, action, small }: EmptyProps) {
  return (
    <div className={cx(styles.state, small && styles.small)}>
      {icon ? <div className={styles.icon}>{icon}</div> : null}
      <p className={styles.title}>{title}</p>
      {children ? <div className={styles.text}>{children}</div> : null}
      {action ? <div className={styles.action}>{action}</div> : null}
    </div>
  );
}

/** A failure as people can read it. `data/problem.ts` makes it of an error. */
export interface Problem {
  title: string;
  detail: string;
  status: number | undefined;
  code: string | undefined;
  requestId: string | undefined;
  /** The title while the service asks to wait, which counts down: it takes the place of `title`. */
  titleAt?: ((now: number) => string) | undefined;
}

const useTitle = ({ title, titleAt }: Problem): string => useClockText(now => titleAt?.(now) ?? title);

/** Looks for what the address of the page names: an id that is gone may stand for something that was moved or copied. */
export function SearchForMissing() {
  const search = useMissingSearch();
  if (!search) return null;
  return (
    <Button icon={<Search size={14} aria-hidden />} onClick={search.open}>
      {m.searchFor(search.text)}
    </Button>
  );
}

/**
 * A failed request, with what the service said, what to do about it, and a way to try again. Where the thing of the page
 * does not exist, another try gives the same, so a search takes its place.
 */
export function Failure({ problem, onRetry, small }: { problem: Problem; onRetry?: () => void; small?: boolean }) {
  const title = useTitle(problem);
  const remedy = useRemedy(problem.code);
  const whoMay = useWhoMay(problem.code);
  const isMissing = useMissingSearch() !== undefined && problem.status === 404 && !small;
  return (
    <div className={cx(styles.state, small && styles.small)} role="alert">
      <div className={cx(styles.icon, styles.bad)}>
        {isMissing ? <SearchX size={20} aria-hidden /> : <Unplug size={20} aria-hidden />}
      </div>
      <div className={styles.said}>
        <p className={styles.title}>{title}</p>
        <div className={styles.text}>
          {[problem.detail, remedy].filter(Boolean).join(" ")} {whoMay}
        </div>
      </div>
      {isMissing ? (
        <div className={styles.action}>
          <SearchForMissing />
        </div>
      ) : onRetry ? (
        <div className={styles.action}>
          <Button icon={<RotateCw size={14} aria-hidden />} onClick={onRetry}>
            {m.tryAgain}
          </Button>
        </div>
      ) : null}
      {problem.requestId ? (
        <p className={styles.request}>
          {m.requestId} <CopyText text={problem.requestId} label={m.requestId} />
        </p>
      ) : null}
    </div>
  );
}

/** A line above content that says something about all of it. */
export function Notice({
  tone = "info",
  children,
  action,
}: {
  tone?: "info" | "warn" | "bad";
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className={cx(styles.notice, styles[tone])} role={tone === "bad" ? "alert" : "status"}>
      <div className={styles.noticeText}>{children}</div>
      {action}
    </div>
  );
}

const sentence = (text: string) => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** A failed request above the form that sent it: what the service said, and what to do about it. */
export function ProblemNotice({ problem, detail = problem.detail }: { problem: Problem; detail?: string }) {
  const title = useTitle(problem);
  const remedy = useRemedy(problem.code);
  const whoMay = useWhoMay(problem.code);
  const said = [title, detail, remedy].filter(text => text !== undefined && text !== "");
  return (
    <Notice tone="bad">
      {said.map(text => sentence(text!)).join(" ")} {whoMay}
    </Notice>
  );
}
