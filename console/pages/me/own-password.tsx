import { useMe } from "../../data/session.ts";
import { m } from "../../messages/index.ts";
import { PasswordField } from "../../ui/field.tsx";

interface Props {
  value: string;
  onChange: (password: string) => void;
  error: string | undefined;
}

/** The current password, where the account has one. Without one, the service asks for a recent sign-in. */
export function OwnPassword({ value, onChange, error }: Props) {
  const { hasPassword } = useMe();
  if (!hasPassword) return null;
  return (
    <PasswordField
      label={m.me.current}
      autoComplete="current-password"
      required
      value={value}
      onChange={event => onChange(event.target.value)}
      error={error}
    />
  );
}
