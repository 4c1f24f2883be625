import { MAX_TITLE } from "../../contracts/entities/notification.ts";
import { clip } from "../../core/clip.ts";
import { outboxOf, markForNotice } from "../../service-kit/outbox.ts";
import { type ServerNotice, type ServerDoc, servers } from "./model.ts";

const TYPES = {
  error: "mcp_server_error",
  recovered: "mcp_server_recovered",
  changed: "mcp_tools_changed",
} as const;

const TITLES = {
  error: (name: string) => `Not reached: ${name}`,
  recovered: (name: string) => `Reached again: ${name}`,
  changed: (name: string) => `Tools have changed: ${name}`,
} satisfies Record<ServerNotice["kind"], (name: string) => string>;

/** The most pending notices of one server. Older notices are outdated. */
const MAX_NEWS = 10;

/** The fields that record notices. The caller writes them together with the change that they report. */
export function noticeFields(server: ServerDoc, news: readonly Omit<ServerNotice, "seq">[], now: Date) {
  if (news.length === 0) return {};
  const fresh = news.map((one, at) => ({ ...one, seq: server.newsCount + at + 1 }));
  const untold = server.tellAt ? server.news : [];
  return {
    ...markForNotice(now),
    newsCount: server.newsCount + fresh.length,
    news: [...untold, ...fresh].slice(-MAX_NEWS),
  };
}

/** Notifies everyone who can act on the state of a server. */
export const serverNotices = outboxOf<ServerDoc>({
  collection: servers,
  notices({ id, workspaceId, name, news, purgeAt }) {
    if (purgeAt) return Promise.resolve([]);
    const base = `/v1/workspaces/${workspaceId}/mcp-servers/${id}`;
    const notices = news.map(({ seq, kind, text }) => ({
      key: `mcp-server:${id}:${seq}`,
      workspaceId,
      type: TYPES[kind],
      title: clip(TITLES[kind](name), MAX_TITLE),
      body: text,
      link: kind === "changed" ? `${base}/changes` : base,
      to: { role: "editor" as const },
    }));
    return Promise.resolve(notices);
  },
});
