import type { ReactNode } from "react";
import { account } from "../messages/en-account.ts";
import { TextField } from "../ui/field.tsx";
import { Mark } from "../ui/mark.tsx";
import styles from "./entry.module.css";

/** The frame of pages before sign-in: a card on the warp, with one thread woven through. */
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
      <div className={styles.warp} aria-hidden />
      <div className={styles.column}>
        <Mark size={40} />
        <h1 className={styles.title}>{title}</h1>
        {lead ? <p className={styles.lead}>{lead}</p> : null}
        <div className={styles.card}>{children}</div>
        {foot ? <p className={styles.foot}>{foot}</p> : null}
      </div>
    </main>
  );
}

interface EmailFieldProps {
  value: string;
  onChange: (email: string) => void;
  readOnly?: boolean;
  error?: string | undefined;
}

/** The address by which a person signs in, as password managers know it. */
export const EmailField = ({ onChange, ...rest }: EmailFieldProps) => (
  <TextField
    label={account.signIn.email}
    type="email"
    name="email"
    autoComplete="username"
    required
    onChange={event => onChange(event.target.value)}
    {...rest}
  />
);
