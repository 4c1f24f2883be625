import type { ReactNode } from "react";
import { cx } from "./cx.ts";
import styles from "./page.module.css";

interface PageProps {
  title: ReactNode;
  /** One sentence below the title. */
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  /** For forms and texts: no wider than can be read well. */
  narrow?: boolean;
}

/** The frame of a page: its title, its acts and its content. */
export function Page({ title, lead, actions, children, narrow }: PageProps) {
  return (
    <div className={cx(styles.page, narrow && styles.narrow)}>
      <header className={styles.head}>
        <div className={styles.titles}>
          <h1 className={styles.title}>{title}</h1>
          {lead ? <p className={styles.lead}>{lead}</p> : null}
        </div>
        {actions ? <div className={styles.actions}>{actions}</div> : null}
      </header>
      {children}
    </div>
  );
}

/** The title of a page that shows none, as while it loads: pages are found by their headings. */
export const UnseenTitle = ({ children }: { children: ReactNode }) => <h1 className="visually-hidden">{children}</h1>;

interface CardProps {
  title?: ReactNode;
  lead?: ReactNode;
  /** At the end of the title's row. */
  aside?: ReactNode;
  children: ReactNode;
  /** Content reaches the edges, as lists do. */
  flush?: boolean;
  className?: string | undefined;
}

/** Paper: one line around, no shadow. */
export function Card({ title, lead, aside, children, flush, className }: CardProps) {
  return (
    <section className={cx(styles.card, className)}>
      {title ? (
        <header className={styles.cardHead}>
          <div>
            <h2 className={styles.cardTitle}>{title}</h2>
            {lead ? <p className={styles.lead}>{lead}</p> : null}
          </div>
          {aside}
        </header>
      ) : null}
      {children === null ? null : <div className={flush ? styles.flush : styles.cardBody}>{children}</div>}
    </section>
  );
}
