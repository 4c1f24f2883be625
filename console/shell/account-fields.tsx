import type { ReactNode } from "react";
import { account } from "../messages/en-account.ts";
import { PasswordField, TextField } from "../ui/field.tsx";

interface AccountFieldProps {
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
}

/** The email address for signing in, in a form that password managers recognise. */
export const EmailField = ({ onChange, ...rest }: AccountFieldProps & { readOnly?: boolean }) => (
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

/** The minimum length of a password, as the service requires it. */
const LEAST = 12;
export const isShortPassword = (password: string): boolean => password.length < LEAST;

interface NewPasswordProps extends AccountFieldProps {
  label: string;
  /** Whether the form was sent. From then on a short password is a fault. */
  tried: boolean;
}

/** A field for a new password, which shows how strong it is. */
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

/** A field for the current password, to sign in or to confirm a change. */
export const CurrentPasswordField = ({
  onChange,
  ...rest
}: AccountFieldProps & { label?: string; aside?: ReactNode }) => (
  <PasswordField
    label={account.me.current}
    name="password"
    autoComplete="current-password"
    required
    onChange={event => onChange(event.target.value)}
    {...rest}
  />
);

/** A field for a code of an authenticator app, or for a recovery code. */
export const CodeField = ({
  onChange,
  ...rest
}: AccountFieldProps & { label?: string; hint?: string; inputMode?: "numeric" }) => (
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
