import { useQuery } from "@tanstack/react-query";
import { signInFault } from "../data/problem.ts";
import { useVisitProvider } from "../data/providers.ts";
import { installationQuery } from "../data/workspaces.ts";
import { providers as words } from "../messages/en-providers.ts";
import { safePath } from "../search.ts";
import { Button } from "../ui/button.tsx";
import { FormError } from "./form-error.tsx";
import styles from "./providers.module.css";

/** Buttons for the sign-in providers, above the password form if there is one. */
export function ProviderButtons({ next, invite }: { next: string | undefined; invite?: string | undefined }) {
  const { data: installation } = useQuery(installationQuery);
  const visit = useVisitProvider();
  if (!installation || installation.sso.length === 0) return null;
  return (
    <div className={styles.providers}>
      {visit.error ? <FormError error={visit.error} text={signInFault} /> : null}
      {installation.sso.map(({ id, name }) => (
        <Button
          key={id}
          size="large"
          wide
          className={styles.provider}
          busy={visit.isPending && visit.variables.provider === id}
          onClick={() => visit.mutate({ provider: id, next: safePath(next), invite })}
        >
          {words.by(name)}
        </Button>
      ))}
    </div>
  );
}

/** The divider between the providers and the password form. */
export const Or = () => <p className={styles.or}>{words.or}</p>;
