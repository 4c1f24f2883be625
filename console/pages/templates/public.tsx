import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useRouterState, useSearch } from "@tanstack/react-router";
import { templatesQuery } from "../../data/workflows.ts";
import { words } from "../../messages/en-templates.ts";
import { account } from "../../messages/en-account.ts";
import { m } from "../../messages/index.ts";
import { buttonClass } from "../../ui/button.tsx";
import { Logo } from "../../ui/logo.tsx";
import { Page } from "../../ui/page.tsx";
import { NoTemplate } from "../template/no-template.tsx";
import { Preview } from "../template/preview.tsx";
import { Gallery } from "./gallery.tsx";
import { templatesSearch } from "./search.ts";
import styles from "./templates.module.css";

function One({ id, w, next }: { id: string; w: string; next: string }) {
  const { data, error, refetch } = useQuery(templatesQuery);
  const template = data?.find(one => one.id === id);
  if (template)
    return <Preview key={id} template={template} action={<SignInLink next={next}>{words.signIn}</SignInLink>} />;
  return <NoTemplate w={w} isMissing={data !== undefined} error={error} onRetry={() => void refetch()} />;
}

const SignInLink = ({ next, children }: { next: string; children: string }) => (
  <Link to="/sign-in" search={{ next }} className={buttonClass({ tone: "primary" })}>
    {children}
  </Link>
);

/** The templates for people who are not signed in. The list is public, but using a template needs a workspace. */
export default function PublicTemplates({ w, id }: { w: string; id: string | undefined }) {
  const given = templatesSearch(useSearch({ strict: false }));
  const navigate = useNavigate({ from: "/w/$w/templates" });
  const next = useRouterState({ select: ({ location }) => location.href });
  return (
    <>
      <header className={styles.outside}>
        <Link to="/sign-in" search={{ next }} className={styles.brand}>
          <Logo size={20} /> {m.appName}
        </Link>
        <SignInLink next={next}>{account.signUp.signIn}</SignInLink>
      </header>
      <main>
        {id === undefined ? (
          <Page title={words.title} lead={words.publicLead}>
            <Gallery
              w={w}
              given={given}
              onSearch={change =>
                void navigate({ search: before => ({ ...before, ...change }), replace: true, resetScroll: false })
              }
              actionOf={() => null}
            />
          </Page>
        ) : (
          <One id={id} w={w} next={next} />
        )}
      </main>
    </>
  );
}
