import { RotateCw, Search, SearchX, TriangleAlert, Unplug } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { m } from "../messages/index.ts";
import { useAllowedPeople } from "./allowed-people.ts";
import { Button, buttonClass } from "./button.tsx";
import { CopyText } from "./copy-text.tsx";
import { cx } from "./cx.ts";
import { useMissingSearch } from "./missing-search.ts";
import { useRemedy } from "./remedy.ts";
import styles from "./states.module.css";
import { useClockText } from "./time.tsx";

interface EmptyProps {
  icon?: ReactNode;
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  /** Uses less space, for cards. */
  small?: boolean;
}

/** Shown when there is nothing yet, with the one action to change that. */
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

/** A failure in words for users. `data/problem.ts` creates it from an error. */
export interface Problem {
  title: string;
  detail: string;
  status: number | undefined;
  code: string | undefined;
  requestId: string | undefined;
  /** The title while the service asks to wait. It counts down and replaces `title`. */
  titleAt?: ((now: number) => string) | undefined;
}

const useTitle = ({ title, titleAt }: Problem): string => useClockText(now => titleAt?.(now) ?? title);

/** Shown if the address of the page leads to nothing that the person may see. */
export function NotFound() {
  const search = useMissingSearch();
  return (
    <div role="alert">
      <Empty
        icon={<SearchX size={20} aria-hidden />}
        title={m.problem.notFound}
        action={
          <>
            {search ? (
              <Button icon={<Search size={14} aria-hidden />} onClick={search.open}>
                {m.searchFor(search.text)}
              </Button>
            ) : null}
            <a href="/" className={buttonClass({})}>
              {m.places.home}
            </a>
          </>
        }
      >
        {m.problem.notFoundDetail}
      </Empty>
    </div>
  );
}

/** Whether the user has pressed "Try again", and no failure was shown since. */
let isTried = false;

/** While the page tries, a placeholder replaces the button. If it fails again, the new button gets the focus back. */
function TryAgain({ onRetry }: { onRetry: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isTried && document.activeElement === document.body) button.current?.focus();
    isTried = false;
  }, []);
  const retry = () => {
    isTried = true;
    onRetry();
  };
  return (
    <Button ref={button} icon={<RotateCw size={14} aria-hidden />} onClick={retry}>
      {m.tryAgain}
    </Button>
  );
}

/**
 * A failed request: the service's message, a remedy, and a button that retries. If the page's resource does not exist,
 * a retry cannot help, so a search and a link replace it.
 */
export function Failure({ problem, onRetry, small }: { problem: Problem; onRetry?: () => void; small?: boolean }) {
  const title = useTitle(problem);
  const remedy = useRemedy(problem.code);
  const whoMay = useAllowedPeople(problem.code);
  const isMissing = useMissingSearch() !== undefined && problem.status === 404 && !small;
  if (isMissing) return <NotFound />;
  // The service answers, so nothing is unplugged.
  const isRefused = problem.status !== undefined && problem.status < 500;
  return (
    <div className={cx(styles.state, small && styles.small)} role="alert">
      <div className={cx(styles.icon, styles.bad)}>
        {isRefused ? <TriangleAlert size={20} aria-hidden /> : <Unplug size={20} aria-hidden />}
      </div>
      <div className={styles.said}>
        <p className={styles.title}>{title}</p>
        <div className={styles.text}>
          {[problem.detail, remedy].filter(Boolean).join(" ")} {whoMay}
        </div>
      </div>
      {onRetry ? (
        <div className={styles.action}>
          <TryAgain onRetry={onRetry} />
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

/** A line above content with a message about all of it. */
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

/** A failed request above the form that sent it: the service's message and a remedy. */
export function ProblemNotice({ problem, detail = problem.detail }: { problem: Problem; detail?: string }) {
  const title = useTitle(problem);
  const remedy = useRemedy(problem.code);
  const whoMay = useAllowedPeople(problem.code);
  const said = [title, detail, remedy].filter(text => text !== undefined && text !== "");
  return (
    <Notice tone="bad">
      {said.map(text => sentence(text!)).join(" ")} {whoMay}
    </Notice>
  );
}
