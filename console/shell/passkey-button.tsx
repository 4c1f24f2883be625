import { Fingerprint } from "lucide-react";
import { codeOf, signInFault } from "../data/problem.ts";
import { isNotAllowed, useEnterByPasskey } from "../data/passkeys.ts";
import { passkeys as words } from "../messages/en-passkeys.ts";
import { Button } from "../ui/button.tsx";
import { FormError } from "./form-error.tsx";
import styles from "./providers.module.css";

function messageOf(error: unknown, now: number): string {
  if (isNotAllowed(error)) return words.notUsed;
  return codeOf(error) === "passkey_refused" ? words.refused : signInFault(error, now);
}

/** Signs in with a passkey of this browser. */
export function PasskeyButton({ onEnter }: { onEnter: () => void }) {
  const enter = useEnterByPasskey();
  return (
    <div className={styles.providers}>
      {enter.error ? <FormError error={enter.error} text={messageOf} /> : null}
      <Button
        size="large"
        wide
        icon={<Fingerprint size={16} aria-hidden />}
        busy={enter.isPending}
        onClick={() => enter.mutate(undefined, { onSuccess: onEnter })}
      >
        {words.signIn}
      </Button>
    </div>
  );
}
