import { grouped, pageOf } from "../../console/data/notification-links.ts";
import { consolePageOf } from "../../core/console-page.ts";
import { executionLink } from "../../services/executions/store/present.ts";

const run = executionLink({ workspaceId: "w-1", spaceId: "s-1", id: "r-1" });

describe("the pages of notifications", () => {
  it("are the run, or the inbox for a question of the run", () => {
    expect(consolePageOf({ type: "execution_failed", link: run })).toBe("/w/w-1/s/s-1/runs/r-1");
    expect(consolePageOf({ type: "approval_needed", link: run })).toBe("/w/w-1/approvals?run=r-1");
  });

  it("are the workflow in the builder, or the list of credentials", () => {
    const workflow = "/v1/workspaces/w-1/spaces/s-1/workflows/f-1";
    expect(consolePageOf({ type: "tool_changed", link: workflow })).toBe("/w/w-1/s/s-1/f/f-1");
    const credential = "/v1/workspaces/w-1/credentials/c-1";
    expect(consolePageOf({ type: "credential_failed", link: credential })).toBe("/w/w-1/settings/credentials");
    const invites = "/v1/workspaces/w-1/invites";
    expect(consolePageOf({ type: "invite_declined", link: invites })).toBe("/w/w-1/settings/members");
  });

  it("are those that a workflow names, within the console", () => {
    expect(consolePageOf({ type: "message", link: "/w/acme/runs?status=failed" })).toBe("/w/acme/runs?status=failed");
    for (const link of ["/v1/files/1", "/elsewhere", null, undefined])
      expect(consolePageOf({ type: "message", link })).toBeUndefined();
  });

  it("are opened by their paths, whatever the address of the service", () => {
    expect(pageOf({ consoleUrl: "https://weft.example.com/w/acme/runs?status=failed" })).toBe(
      "/w/acme/runs?status=failed",
    );
    expect(pageOf({})).toBeUndefined();
  });
});

describe("groups of notifications", () => {
  const one = (id: string, link: string | undefined, readAt: string | null = null) => ({
    ...{ id, readAt, type: "message" as const, title: id, body: "", createdAt: "2026-11-22T12:00:00Z" },
    ...(link !== undefined && { link }),
  });

  it("contain all of one run, at the place of its newest", () => {
    const groups = grouped([
      one("a", run),
      one("b", undefined),
      one("c", run, "2026-11-22T12:00:00Z"),
      one("d", undefined),
    ]);
    expect(groups.map(({ first, others }) => [first.id, ...others.map(({ id }) => id)])).toEqual([
      ["a", "c"],
      ["b"],
      ["d"],
    ]);
    expect(groups.map(({ unread }) => unread.length)).toEqual([1, 1, 1]);
  });
});
