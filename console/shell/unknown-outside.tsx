import { Logo } from "../ui/logo.tsx";
import styles from "./entry.module.css";
import { Missing } from "./missing.tsx";
import { WaysOn } from "./ways-on.tsx";

/** An address that no page has, for people who are not signed in. It looks like the pages before sign-in. */
export default function UnknownOutside() {
  return (
    <WaysOn search={undefined}>
      <main className={styles.frame}>
        <div className={styles.lines} aria-hidden />
        <div className={styles.column}>
          <Logo size={40} />
          <div className={styles.card}>
            <Missing />
          </div>
        </div>
      </main>
    </WaysOn>
  );
}
