import { useMe } from "../../data/session.ts";
import { account } from "../../messages/en-account.ts";
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
      label={account.me.current}
      autoComplete="current-password"
      required
      value={value}
      onChange={event => onChange(event.target.value)}
      error={error}
    />
  );
}
