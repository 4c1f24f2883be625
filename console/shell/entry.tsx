import type { ReactNode } from "react";
import { Logo } from "../ui/logo.tsx";
import styles from "./entry.module.css";

/** The frame of pages before sign-in: a card on a background of threads. */
export function EntryFrame({
  title,
  lead,
  children,
  foot,
}: {
  title: ReactNode;
  lead?: ReactNode;
  children: ReactNode;
  foot?: ReactNode;
}) {
  return (
    <main className={styles.frame}>
      <div className={styles.lines} aria-hidden />
      <div className={styles.column}>
        <Logo size={40} />
        <h1 className={styles.title}>{title}</h1>
        {lead ? <p className={styles.lead}>{lead}</p> : null}
        <div className={styles.card}>{children}</div>
        {foot ? <p className={styles.foot}>{foot}</p> : null}
      </div>
    </main>
  );
}
