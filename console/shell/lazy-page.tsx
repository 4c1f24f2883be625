import type { AsyncRouteComponent } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { m } from "../messages/index.ts";
import { type Fallback, lazy } from "../ui/lazy.tsx";
import { HiddenTitle } from "../ui/page.tsx";
import { Failure } from "../ui/states.tsx";

const ANSWER_MS = 5_000;
/** The document is loaded again at most this often. */
const RELOAD_MS = 60_000;
const RELOADED = "weft:reloaded";

/** Shown in place of a page. */
const Unreachable = () => (
  <>
    <HiddenTitle>{m.problem.offline}</HiddenTitle>
    <Failure
      problem={{
        ...{ title: m.problem.offline, detail: m.problem.opensLater },
        ...{ status: undefined, code: undefined, requestId: undefined },
      }}
    />
  </>
);

const answers = (): Promise<boolean> =>
  fetch("/health/live", { cache: "no-store", signal: AbortSignal.timeout(ANSWER_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );

let missing = 0;

/**
 * A service that answers, but twice in a row not with the code of a page, was updated and has other files now. The
 * document of the new version names these.
 */
async function reloadAfterUpdate(): Promise<void> {
  missing = (await answers()) ? missing + 1 : 0;
  if (missing < 2 || Date.now() - Number(sessionStorage.getItem(RELOADED)) < RELOAD_MS) return;
  sessionStorage.setItem(RELOADED, String(Date.now()));
  location.reload();
}

const FALLBACK: Fallback = { Meanwhile: Unreachable, onFailure: () => void reloadAfterUpdate() };

/**
 * The component of a route. The router's own function loads the document again after a failure, so that the page of the
 * browser for errors replaces everything while the service is away. This one says that the service is away, and opens
 * the page as soon as the service answers.
 */
export const lazyPage = <Name extends string>(
  load: () => Promise<Record<Name, unknown>>,
  name: Name,
): AsyncRouteComponent<object> =>
  // A page's type depends on that of the router, so the router's cannot depend on it.
  lazy(load as () => Promise<Record<Name, () => ReactNode>>, name, FALLBACK);
