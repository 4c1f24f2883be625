import type { ReactNode } from "react";
import styles from "./stories.module.css";

/** The handler of buttons that do nothing in a story. */
export const doNothing = (): void => undefined;

/** One component in one state, below the state's name. */
export const Story = ({ name, children, wide }: { name: string; children: ReactNode; wide?: boolean }) => (
  <div className={styles.story} data-wide={wide || undefined}>
    <p className={styles.name}>{name}</p>
    <div className={styles.stage}>{children}</div>
  </div>
);

/** The states of one component. */
export const Stories = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={styles.stories} aria-label={title}>
    <h2 className={styles.title}>{title}</h2>
    <div className={styles.grid}>{children}</div>
  </section>
);
