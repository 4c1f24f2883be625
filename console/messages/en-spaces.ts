import { count } from "./count.ts";

const workflowsOf = (n: number | undefined) => (n === undefined ? "workflows" : count(n, "workflow", "workflows"));
const gone = (what: string) =>
  `Its ${what} are deleted too, with all runs, schedules and webhooks. They cannot be restored.`;

/** The texts of spaces and pods. */
export const words = {
  title: "Spaces",
  lead: "A space holds workflows with their runs, schedules and webhooks, and may have variables of its own. A pod keeps the spaces of one project together.",
  workspace: "In the workspace itself",
  newSpace: "New space",
  newPod: "New pod",
  newPodHint: "A pod starts with a space of the same name.",
  inPod: (pod: string) => `New space in ${pod}`,
  name: "Name",
  create: "Create",
  created: (name: string) => `${name} was created`,
  renamed: (name: string) => `Renamed to ${name}`,
  workflows: (n: number) => count(n, "workflow", "workflows"),
  first: "new workflows go here",
  more: (name: string) => `More for ${name}`,
  moreOfPod: (name: string) => `More for the pod ${name}`,
  openWorkflows: "Open its workflows",
  openVariables: "Open its variables",
  rename: "Rename",
  renameTitle: (name: string) => `Rename ${name}`,
  remove: "Delete",
  removeTitle: (name: string) => `Delete ${name}?`,
  /** Without a number if there are more workflows than the page has read. */
  removeSpace: (workflows: number | undefined) => gone(workflowsOf(workflows)),
  removePod: (spaces: number, workflows: number | undefined) =>
    gone(`${count(spaces, "space", "spaces")} and ${workflowsOf(workflows)}`),
  removeLabel: (name: string) => `To confirm, type ${name}`,
  removed: (name: string) => `${name} was deleted`,
};
