import type { ReactNode } from "react";
import { account } from "../messages/en-account.ts";
import { PasswordField, TextField } from "../ui/field.tsx";

interface Given {
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
}

/** The address by which a person signs in, as password managers know it. */
export const EmailField = ({ onChange, ...rest }: Given & { readOnly?: boolean }) => (
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

/** The fewest characters that the service takes as a password. */
const LEAST = 12;
export const isShortPassword = (password: string): boolean => password.length < LEAST;

interface NewPasswordProps extends Given {
  label: string;
  /** The form was sent once, so that a password that is too short is a fault. */
  tried: boolean;
}

/** A password that is set, with how strong it is. */
export const NewPasswordField = ({ onChange, tried, error, ...rest }: NewPasswordProps) => (
  <PasswordField
    name="password"
    autoComplete="new-password"
    maxLength={256}
    required
    least={LEAST}
    hint={account.signUp.passwordHint}
    onChange={event => onChange(event.target.value)}
    error={error ?? (tried && isShortPassword(rest.value) ? account.signUp.tooShort : undefined)}
    {...rest}
  />
);

/** The password that the account has now, to sign in or to prove who asks. */
export const CurrentPasswordField = ({ onChange, ...rest }: Given & { label?: string; aside?: ReactNode }) => (
  <PasswordField
    label={account.me.current}
    name="password"
    autoComplete="current-password"
    required
    onChange={event => onChange(event.target.value)}
    {...rest}
  />
);

/** A code of an authenticator app, or one for recovery. */
export const CodeField = ({ onChange, ...rest }: Given & { label?: string; hint?: string; inputMode?: "numeric" }) => (
  <TextField
    label={account.signIn.code}
    name="code"
    autoComplete="one-time-code"
    required
    minLength={6}
    onChange={event => onChange(event.target.value)}
    {...rest}
  />
);
