import { Link, useLocation } from "@tanstack/react-router";
import { useConfirmAddress } from "../../data/accounts.ts";
import { codeOf, problemOf } from "../../data/problem.ts";
import { account } from "../../messages/en-account.ts";
import { EntryFrame } from "../../shell/entry.tsx";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Notice } from "../../ui/states.tsx";

const IN_HASH = /(?:^|[#&])token=([\w-]{1,200})/;

/**
 * Confirms an email address when the user presses the button. Opening the page is not enough, because mail scanners
 * open links too.
 */
export function ConfirmAddressPage() {
  const { hash } = useLocation();
  const token = IN_HASH.exec(hash)?.[1] ?? "";
  const confirm = useConfirmAddress();
  const code = codeOf(confirm.error);
  const home = (
    <Link to="/" className={buttonClass({ size: "large", wide: true })}>
      {account.address.toApp}
    </Link>
  );
  if (token === "" || code === "link_invalid") {
    return (
      <EntryFrame title={account.address.gone} lead={account.address.goneDetail}>
        {home}
      </EntryFrame>
    );
  }
  if (confirm.data) {
    const { email, done } = confirm.data;
    return (
      <EntryFrame title={account.address.title} lead={done ? account.address.done(email) : account.address.half}>
        {home}
      </EntryFrame>
    );
  }
  return (
    <EntryFrame title={account.address.title} lead={account.address.lead}>
      {confirm.error ? (
        <Notice tone="bad">{code === "email_taken" ? account.address.taken : problemOf(confirm.error).title}</Notice>
      ) : null}
      <Button tone="primary" size="large" wide busy={confirm.isPending} onClick={() => confirm.mutate(token)}>
        {account.address.submit}
      </Button>
    </EntryFrame>
  );
}
