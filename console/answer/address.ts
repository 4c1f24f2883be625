import { type Asked, pathOf } from "../data/question-address.ts";

/** `/a/:workspaceId/:runId?n=<step>&p=<items>&q=<question>`. */
export interface QuestionAddress {
  workspaceId: string;
  runId: string;
  asked: Asked;
}

const ID = /^[\w-]{1,64}$/;

/** Undefined for an incomplete link. */
export function addressOf(pathname: string, search: string): QuestionAddress | undefined {
  const [, , workspaceId = "", runId = ""] = pathname.split("/");
  if (!ID.test(workspaceId) || !ID.test(runId)) return undefined;
  const given = new URLSearchParams(search);
  const text = (name: string) => given.get(name) || undefined;
  return { workspaceId, runId, asked: { nodeId: text("n"), path: pathOf(text("p")), question: text("q") } };
}

/** The token of `/a/link#<token>`: a link that answers one question without a sign-in. */
export const tokenOf = ({ pathname, hash }: { pathname: string; hash: string }): string | undefined =>
  pathname === "/a/link" ? hash.slice(1) : undefined;
