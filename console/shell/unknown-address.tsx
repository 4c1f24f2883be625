import { useSession } from "../data/session.ts";
import { Logo } from "../ui/logo.tsx";
import styles from "./entry.module.css";
import { Frame } from "./layouts.tsx";
import { Missing } from "./missing.tsx";

/** An address that no page has. For people who are not signed in it looks like the pages before sign-in. */
export function UnknownAddress() {
  if (useSession().status === "in") {
    return (
      <Frame>
        <Missing />
      </Frame>
    );
  }
  return (
    <main className={styles.frame}>
      <div className={styles.lines} aria-hidden />
      <div className={styles.column}>
        <Logo size={40} />
        <div className={styles.card}>
          <Missing />
        </div>
      </div>
    </main>
  );
}
