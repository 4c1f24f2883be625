import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { type SyntheticEvent, useState } from "react";
import type { LinkedProvider } from "../../../sdk/definition.ts";
import { codeOf, faultAt, problemOf, sentencesOf } from "../../data/problem.ts";
import { linkedQuery, useLinkProvider, useRemoveProvider } from "../../data/providers.ts";
import { useMe } from "../../data/session.ts";
import { installationQuery } from "../../data/workspaces.ts";
import { account } from "../../messages/en-account.ts";
import { providers as words } from "../../messages/en-providers.ts";
import { m } from "../../messages/index.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogFooter } from "../../ui/dialog.tsx";
import { Card } from "../../ui/page.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Failure, Notice } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";
import factors from "./factors.module.css";
import rows from "../../ui/rows.module.css";
import { OwnPassword } from "./own-password.tsx";

type Act = { kind: "link"; provider: string; name: string } | { kind: "remove"; link: LinkedProvider };

function messageOf(error: unknown): string {
  const code = codeOf(error);
  if (code === "last_way_in") return account.me.lastWay;
  if (code === "sign_in_again") return account.factors.recent;
  return sentencesOf(error);
}

/** Asks for the password before a provider is linked or removed. */
function ActDialog({ act, onClose }: { act: Act; onClose: () => void }) {
  const { hasPassword } = useMe();
  const [password, setPassword] = useState("");
  const link = useLinkProvider();
  const remove = useRemoveProvider();
  const { error, isPending } = act.kind === "link" ? link : remove;
  const given = hasPassword ? password : undefined;
  const name = act.kind === "link" ? act.name : act.link.name;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (act.kind === "link") return link.mutate({ provider: act.provider, password: given });
    const removed = () => {
      toast.done(words.removed(name));
      onClose();
    };
    remove.mutate({ id: act.link.id, password: given }, { onSuccess: removed });
  };
  const fault = faultAt(error, "/password");
  return (
    <Dialog open onClose={onClose} title={act.kind === "link" ? words.link(name) : words.removeTitle(name)}>
      <form className={factors.step} onSubmit={submit}>
        {error && !fault ? <Notice tone="bad">{messageOf(error)}</Notice> : null}
        {act.kind === "remove" ? <p>{words.removeLead(name)}</p> : null}
        <OwnPassword value={password} onChange={setPassword} error={fault} />
        <DialogFooter>
          <Button onClick={onClose}>{m.cancel}</Button>
          <Button type="submit" tone={act.kind === "link" ? "primary" : "danger"} busy={isPending}>
            {act.kind === "link" ? words.goOn(name) : words.remove}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

function Row({ link, onRemove }: { link: LinkedProvider; onRemove: () => void }) {
  const { name, email, createdAt, usedAt } = link;
  return (
    <li className={rows.row}>
      <KeyRound size={16} aria-hidden />
      <div className={rows.text}>
        <span className={rows.name}>{name}</span>
        <span className={rows.detail}>
          {email === null ? null : <>{email} · </>}
          {words.linked} <Time at={createdAt} /> ·{" "}
          {usedAt === null ? (
            words.neverUsed
          ) : (
            <>
              {words.used} <Time at={usedAt} />
            </>
          )}
        </span>
      </div>
      <Button size="small" aria-label={words.removeOf(name)} onClick={onRemove}>
        {words.remove}
      </Button>
    </li>
  );
}

/** The sign-in providers of the user. Shown if the installation has any. */
export function ProvidersCard() {
  const { data: installation } = useQuery(installationQuery);
  const { data, error, refetch } = useQuery(linkedQuery);
  const [act, setAct] = useState<Act>();
  const offered = installation?.sso ?? [];
  if (offered.length === 0 && (data ?? []).length === 0) return null;
  const open = data ? offered.filter(({ id }) => !data.some(({ provider }) => provider === id)) : [];
  return (
    <Card flush title={words.title} lead={words.lead}>
      {error && !data ? <Failure small problem={problemOf(error)} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <SkeletonRows rows={1} /> : null}
      <ul>
        {data?.map(link => (
          <Row key={link.id} link={link} onRemove={() => setAct({ kind: "remove", link })} />
        ))}
        {open.map(({ id, name }) => (
          <li key={id} className={rows.row}>
            <KeyRound size={16} aria-hidden />
            <div className={rows.text}>
              <span className={rows.name}>{name}</span>
            </div>
            <Button
              size="small"
              aria-label={words.link(name)}
              onClick={() => setAct({ kind: "link", provider: id, name })}
            >
              {words.linkIt}
            </Button>
          </li>
        ))}
      </ul>
      {act ? <ActDialog act={act} onClose={() => setAct(undefined)} /> : null}
    </Card>
  );
}
