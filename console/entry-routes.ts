import { createRootRoute, createRoute, redirect } from "@tanstack/react-router";
import { knownSession } from "./data/session.ts";
import { homeOf, isNew } from "./data/workspaces.ts";
import { entrySearch, leaveIfSignedIn } from "./entry.ts";
import { keepInvite } from "./pages/invite/token.ts";
import { type Search, textIn } from "./search.ts";
import { lazyPage } from "./shell/lazy-page.tsx";
import { Root } from "./shell/layouts.tsx";

// The root, and the pages before sign-in or without a workspace.

export const root = createRootRoute({ component: Root });

export const index = createRoute({
  getParentRoute: () => root,
  path: "/",
  async beforeLoad({ location }) {
    // Invitation links from the API have the form `/#invite=<token>`.
    if (location.hash.startsWith("invite=")) redirect({ throw: true, to: "/invite", hash: location.hash });
    if ((await knownSession()).status !== "in")
      redirect({ throw: true, to: (await isNew()) ? "/sign-up" : "/sign-in" });
    const w = await homeOf();
    if (w === undefined) redirect({ throw: true, to: "/me" });
    else redirect({ throw: true, to: "/w/$w", params: { w } });
  },
});

export const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: entrySearch,
  beforeLoad: leaveIfSignedIn,
  component: lazyPage(() => import("./pages/sign-in/page.tsx"), "SignInPage"),
});

export const signUp = createRoute({
  getParentRoute: () => root,
  path: "/sign-up",
  validateSearch: entrySearch,
  beforeLoad: leaveIfSignedIn,
  component: lazyPage(() => import("./pages/sign-up/page.tsx"), "SignUpPage"),
});

export const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: "/forgot-password",
  validateSearch: entrySearch,
  component: lazyPage(() => import("./pages/forgot-password/page.tsx"), "ForgotPasswordPage"),
});

export const resetPassword = createRoute({
  getParentRoute: () => root,
  path: "/reset-password",
  component: lazyPage(() => import("./pages/reset-password/page.tsx"), "ResetPasswordPage"),
});

export const confirmAddress = createRoute({
  getParentRoute: () => root,
  path: "/confirm-address",
  component: lazyPage(() => import("./pages/confirm-address/page.tsx"), "ConfirmAddressPage"),
});

export const sso = createRoute({
  getParentRoute: () => root,
  path: "/sso/$provider",
  beforeLoad: async () => void (await knownSession()),
  component: lazyPage(() => import("./pages/sso/page.tsx"), "SsoPage"),
});

export const invite = createRoute({
  getParentRoute: () => root,
  path: "/invite",
  async beforeLoad({ location }) {
    await knownSession();
    return { token: keepInvite(location.hash) };
  },
  component: lazyPage(() => import("./pages/invite/page.tsx"), "InvitePage"),
});

export const command = createRoute({
  getParentRoute: () => root,
  path: "/command",
  validateSearch: (search: Search): { challenge?: string | undefined } => ({ challenge: textIn(search, "challenge") }),
  async beforeLoad({ location }) {
    if ((await knownSession()).status === "in") return;
    redirect({ throw: true, to: "/sign-in", search: { next: location.href } });
  },
  component: lazyPage(() => import("./pages/command/page.tsx"), "CommandPage"),
});
