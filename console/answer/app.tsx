import { SearchX } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { problemOf } from "../data/problem.ts";
import { knownSession, useSession } from "../data/session.ts";
import { answerTexts } from "../messages/en-answers.ts";
import { m } from "../messages/index.ts";
import { Logo } from "../ui/logo.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { Empty, Failure } from "../ui/states.tsx";
import type { QuestionAddress } from "./address.ts";
import styles from "./answer.module.css";
import { LinkPage } from "./link-page.tsx";
import { QuestionPage } from "./question-page.tsx";
import { SignIn } from "./sign-in.tsx";

/** Shows one question, for phones. If a sign-in is needed, it happens at the same address. */
export function AnswerApp({ address, token }: { address: QuestionAddress | undefined; token: string | undefined }) {
  if (token !== undefined) {
    return (
      <Frame>
        <LinkPage token={token} />
      </Frame>
    );
  }
  return <SignedIn address={address} />;
}

function SignedIn({ address }: { address: QuestionAddress | undefined }) {
  const session = useSession();
  const [error, setError] = useState<unknown>();
  const [tries, setTries] = useState(0);
  // The question stays mounted during a new sign-in, so that typed text is kept.
  const [shown, setShown] = useState(false);
  if (session.status === "in" && !shown) setShown(true);

  useEffect(() => {
    knownSession().then(() => setError(undefined), setError);
  }, [tries]);

  if (!address) {
    return (
      <Frame>
        <Unseen />
        <Empty icon={<SearchX size={20} aria-hidden />} title={answerTexts.question.badLink}>
          {answerTexts.question.badLinkDetail}
        </Empty>
      </Frame>
    );
  }
  if (session.status === "out") return <SignIn again={shown} />;
  if (session.status === "in") {
    return (
      <Frame>
        <QuestionPage address={address} user={session.user} />
      </Frame>
    );
  }
  return (
    <Frame>
      <Unseen />
      {error === undefined ? (
        <SkeletonRows rows={3} />
      ) : (
        <Failure problem={problemOf(error)} onRetry={() => setTries(tries + 1)} />
      )}
    </Frame>
  );
}

/** A hidden title for states without one, because screen readers find pages by their headings. */
const Unseen = () => <h1 className="visually-hidden">{m.appName}</h1>;

function Frame({ children }: { children: ReactNode }) {
  return (
    <div className={styles.frame}>
      <header className={styles.bar}>
        <a href="/" className={styles.brand}>
          <Logo size={20} /> {m.appName}
        </a>
      </header>
      <main className={styles.main}>{children}</main>
    </div>
  );
}
