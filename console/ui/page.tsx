import type { ReactNode } from "react";
import { cx } from "./cx.ts";
import styles from "./page.module.css";

interface PageProps {
  title: ReactNode;
  /** One sentence below the title. */
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  /** Limits the width for forms and texts, so that lines stay readable. */
  narrow?: boolean;
}

/** The frame of a page: its title, its actions and its content. */
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

/** A hidden title, for example while the page loads, because screen readers find pages by their headings. */
export const HiddenTitle = ({ children }: { children: ReactNode }) => <h1 className="visually-hidden">{children}</h1>;

interface CardProps {
  title?: ReactNode;
  lead?: ReactNode;
  /** Shown at the end of the title's row. */
  aside?: ReactNode;
  children: ReactNode;
  /** Whether the content reaches the edges, as lists do. */
  flush?: boolean;
  className?: string | undefined;
}

/** A card with a border and no shadow. */
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
