import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { credentialsQuery, credentialTypesQuery } from "../../../data/credentials.ts";
import { hintsOf } from "../../../forms/step/model.ts";
import type { PickerProps } from "../../../forms/step/context.ts";
import { words } from "../../../messages/en-inspector.ts";
import { Button } from "../../../ui/button.tsx";
import { lazy } from "../../../ui/lazy.tsx";
import { useBuilder } from "../../builder-context.tsx";
import { dataOf } from "../../document/index.ts";
import { PickOne } from "./pick.tsx";
import styles from "./pick.module.css";

/** Most steps use an existing credential, so the dialog for new ones is loaded when it is opened. */
const CredentialDialog = lazy(() => import("../../../credentials/credential-dialog.tsx"), "CredentialDialog");

/** The host of the step's address, for a new credential. Undefined if it is only known during the run. */
export function hostOf(url: unknown): string | undefined {
  if (typeof url !== "string") return undefined;
  const host = /^https?:\/\/([^/?#{}\s]+)(?=[/?#]|$)/i.exec(url)?.[1];
  return host === undefined || host.includes("@") ? undefined : host.toLowerCase();
}

/** Lets the user choose a credential that fits the step, or create one. */
export function CredentialPicker(props: PickerProps) {
  const { doc, workspaceId } = useBuilder();
  const { data: types } = useQuery(credentialTypesQuery);
  const { data: credentials } = useQuery(credentialsQuery(workspaceId));
  const [dialog, setDialog] = useState<"new" | "authorize">();
  const { use = "calls", credentialType } = hintsOf(props.schema) as {
    use?: string;
    credentialType?: string | string[];
  };
  const fitting =
    types?.filter(one => (credentialType ? [credentialType].flat().includes(one.type) : one.use === use)) ?? [];
  const names = new Set<string>(fitting.map(({ type }) => type));
  const options = types && credentials?.filter(({ type }) => names.has(type));
  const chosen = credentials?.find(({ id }) => id === props.value);
  const hosts = [...doc.getState().nodes.values()]
    .filter(node => node && dataOf(node).credential === props.value)
    .flatMap(node => hostOf(dataOf(node).url) ?? []);
  const create = { id: "new", title: words.credential.create, group: "", run: () => setDialog("new") };
  return (
    <>
      <PickOne
        {...props}
        options={options?.map(({ id, name, type }) => ({ id, name, detail: type }))}
        nothing={words.credential.empty}
        acts={[create]}
      >
        {chosen ? (
          <div className={styles.below}>
            <span>{chosen.hosts.join(", ")}</span>
            {chosen.status === "ready" ? null : (
              <span className={styles.warn}>{words.credential.status[chosen.status]}</span>
            )}
            {chosen.type === "oauth2_code" && chosen.status !== "ready" ? (
              <Button size="small" onClick={() => setDialog("authorize")}>
                {words.credential.authorize}
              </Button>
            ) : null}
          </div>
        ) : null}
      </PickOne>
      {dialog ? (
        <Suspense>
          <CredentialDialog
            workspaceId={workspaceId}
            types={fitting}
            hosts={[...new Set(hosts)]}
            credential={dialog === "authorize" ? chosen : undefined}
            onDone={({ id }) => props.onChange(id)}
            onClose={() => setDialog(undefined)}
          />
        </Suspense>
      ) : null}
    </>
  );
}
