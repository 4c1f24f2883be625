/** The headings that were moved from one page to another under the same name, so that old links still lead to them. */
const MOVED: readonly { from: string; to: string; anchors: readonly string[] }[] = [
  { from: "/docs/accounts", to: "/docs/workspaces", anchors: ["move-a-workspace", "quotas-and-usage"] },
  { from: "/docs/api", to: "/docs/workspaces", anchors: ["read-the-audit-log", "roles"] },
  {
    from: "/docs/operations",
    to: "/docs/alerts",
    anchors: [
      "alerts",
      "weftactionsfailing",
      "weftcallsrefused",
      "weftclaimsslow",
      "weftdown",
      "wefterrorslogged",
      "weftexecutionsfailing",
      "weftindexbehind",
      "weftjournalslow",
      "weftmemoryhigh",
      "weftmodelfailing",
      "weftnogateway",
      "weftnoworkers",
      "weftprocessorbusy",
      "weftqueuelong",
      "weftqueuestuck",
      "weftrestarting",
      "weftrunslost",
      "weftservererrors",
      "weftslowanswers",
      "weftstepstriedagain",
      "wefttimerslate",
      "wefttraceslost",
      "weftworkersfull",
    ],
  },
  {
    from: "/docs/workflows",
    to: "/docs/runs",
    anchors: [
      "act-on-many-runs",
      "answer-a-question",
      "ask-for-a-file",
      "follow-a-run",
      "look-into-a-run",
      "retry-a-run",
      "send-a-signal",
      "start-once-and-find-a-run-again",
    ],
  },
];

/** A note for each heading that was moved away from a page. The style sheet shows only the note of the address. */
export const movedHtml = (path: string): string =>
  MOVED.filter(({ from }) => from === path)
    .flatMap(({ to, anchors }) =>
      anchors.map(
        anchor => `<p class="moved" id="${anchor}">This section has moved: <a href="${to}#${anchor}">${to}</a></p>`,
      ),
    )
    .join("\n");
