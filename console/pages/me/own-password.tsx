import { useMe } from "../../data/session.ts";
import { CurrentPasswordField } from "../../shell/account-fields.tsx";

interface Props {
  value: string;
  onChange: (password: string) => void;
  error: string | undefined;
}

/** The current password, where the account has one. Without one, the service asks for a recent sign-in. */
export const OwnPassword = (props: Props) => (useMe().hasPassword ? <CurrentPasswordField {...props} /> : null);
