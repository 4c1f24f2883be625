import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, type SyntheticEvent, useState } from "react";
import { factorsQuery, useProve } from "../data/factors.ts";
import { knowsPasskeys } from "../data/passkeys.ts";
import { codeOf, problemOf } from "../data/problem.ts";
import { queryClient } from "../data/query-client.ts";
import { passkeys as words } from "../messages/en-passkeys.ts";
import { account } from "../messages/en-account.ts";
import { CodeField } from "./account-fields.tsx";
import { Button, buttonClass } from "../ui/button.tsx";
import { Card, Page } from "../ui/page.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { Failure } from "../ui/states.tsx";
import { PasskeyButton } from "./passkey-button.tsx";
import styles from "./providers.module.css";
import { useWorkspace } from "./workspace.ts";

/** Repeats the requests that were refused. */
const goOn = () => void queryClient.resetQueries();

function CodeForm() {
  const [code, setCode] = useState("");
  const prove = useProve();
  const isWrong = codeOf(prove.error) === "invalid_code";
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    prove.mutate(code, { onSuccess: goOn });
  };
  const fault = prove.error ? (isWrong ? account.signIn.wrongCode : problemOf(prove.error).title) : undefined;
  return (
    <form className={styles.providers} onSubmit={submit}>
      <p>{words.gateCode}</p>
      <CodeField value={code} onChange={setCode} error={fault} />
      <div>
        <Button type="submit" tone="primary" busy={prove.isPending}>
          {words.prove}
        </Button>
      </div>
    </form>
  );
}

/** Shown in a workspace that requires a second factor, if the session has not proved one. */
export function FactorGate({ children }: { children: ReactNode }) {
  const { name } = useWorkspace();
  const { data, error, refetch } = useQuery(factorsQuery);
  if (data?.proved) return children;
  if (error && !data) return <Failure problem={problemOf(error)} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows rows={3} />;
  const hasFactor = data.totp || data.passkeys > 0;
  return (
    <Page title={words.gateTitle} narrow>
      <Card title={words.demandTitle} lead={words.gateLead(name)}>
        {hasFactor ? <CodeForm /> : <p>{words.gateSetUp}</p>}
        {data.passkeys > 0 && knowsPasskeys() ? <PasskeyButton onEnter={goOn} /> : null}
        {hasFactor ? null : (
          <div>
            <Link to="/me" className={buttonClass({ tone: "primary" })}>
              {words.toAccount}
            </Link>
          </div>
        )}
      </Card>
    </Page>
  );
}
