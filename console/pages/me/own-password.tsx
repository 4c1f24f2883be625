import { useMe } from "../../data/session.ts";
import { CurrentPasswordField } from "../../shell/account-fields.tsx";

interface Props {
  value: string;
  onChange: (password: string) => void;
  error: string | undefined;
}

/**
 * A field for the current password. For an account without one it renders nothing, because the service then requires a
 * recent sign-in.
 */
export const OwnPassword = (props: Props) => (useMe().hasPassword ? <CurrentPasswordField {...props} /> : null);
