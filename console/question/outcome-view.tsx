import { Ban, CircleCheck, CircleX, Hourglass } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import type { Outcome } from "../data/questions.ts";
import { hasContent } from "../forms/values.ts";
import { answerTexts } from "../messages/en-answers.ts";
import { m } from "../messages/index.ts";
import { Time } from "../ui/time.tsx";
import styles from "./question.module.css";
import { ValueView } from "./value-view.tsx";

interface OutcomeViewProps {
  outcome: Outcome;
  prompt: string | undefined;
  /** The name of the person who answered. */
  by: string | undefined;
  byMe: boolean;
  /** Whether the user tried to answer, but another person had answered before. */
  late: boolean;
  /** Whether the outcome fills the screen of a phone. */
  phone?: boolean | undefined;
  /** Whether it takes the place of a form, which may have had the focus. */
  replaces?: boolean;
  children: ReactNode;
}

const ICONS = {
  good: <CircleCheck size={28} strokeWidth={1.75} aria-hidden />,
  bad: <CircleX size={28} strokeWidth={1.75} aria-hidden />,
  time: <Hourglass size={28} strokeWidth={1.75} aria-hidden />,
  over: <Ban size={28} strokeWidth={1.75} aria-hidden />,
};

function words({ outcome, by, byMe }: OutcomeViewProps): { icon: keyof typeof ICONS; title: string; detail: string } {
  if (outcome.kind === "expired")
    return { icon: "time", title: answerTexts.question.expired, detail: answerTexts.question.expiredDetail };
  if (outcome.kind === "ended") {
    return {
      icon: "over",
      title: answerTexts.question.over,
      detail: answerTexts.question.overDetail(m.status[outcome.status]),
    };
  }
  const name = by ?? answerTexts.question.somebody;
  const mine = outcome.approved ? answerTexts.question.youApproved : answerTexts.question.youRejected;
  const theirs = outcome.approved ? answerTexts.question.approvedBy(name) : answerTexts.question.rejectedBy(name);
  return { icon: outcome.approved ? "good" : "bad", title: byMe ? mine : theirs, detail: "" };
}

/** How a question ended: who answered, when, and with which data. */
export function OutcomeView(props: OutcomeViewProps) {
  const { outcome, prompt, by, byMe, late, phone, replaces = false, children } = props;
  const { icon, title, detail } = words(props);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (replaces && document.activeElement === document.body) place.current?.focus({ preventScroll: true });
  }, [replaces]);
  const answered = outcome.kind === "answered" ? outcome : undefined;
  // Beside a list, the page already has its own title.
  const [Title, Part] = phone ? (["h1", "h2"] as const) : (["h2", "h3"] as const);
  return (
    <div ref={place} tabIndex={-1} className={styles.outcome} data-phone={phone ? "" : undefined} role="status">
      <div className={styles.seal} data-tone={icon}>
        {ICONS[icon]}
      </div>
      <Title className={styles.outcomeTitle}>{title}</Title>
      {late && answered && !byMe ? <p>{answerTexts.question.faster(by ?? answerTexts.question.somebody)}</p> : null}
      {detail ? <p className={styles.lead}>{detail}</p> : null}
      {outcome.at ? (
        <p className={styles.quiet}>
          <Time at={outcome.at} />
        </p>
      ) : null}
      {prompt ? <blockquote className={styles.quote}>{prompt}</blockquote> : null}
      {answered && hasContent(answered.data) ? (
        <section className={styles.said}>
          <Part>{byMe ? answerTexts.question.yourAnswer : answerTexts.question.answer}</Part>
          <ValueView value={answered.data} />
        </section>
      ) : null}
      <div className={styles.ways}>{children}</div>
    </div>
  );
}
