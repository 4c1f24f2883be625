import type { Command } from "../command.ts";

/** Loaded for these commands only, because it is two thirds of the code of the command line. */
const work = () => import("../folder/pull-and-push.ts");

const SAME = {
  "dry-run": { type: "boolean", help: "show the changes without making them" },
} as const;

export const FOLDER: Command[] = [
  {
    name: "pull",
    args: "<folder>",
    summary: "Write the workflows, schedules, webhooks and variables of the space into a folder",
    options: { ...SAME, force: { type: "boolean", help: "overwrite files that changed on both sides" } },
    notes: [
      "A pull does not change files that changed only locally. The exit code is 1 if a file changed on both sides.",
    ],
    run: async given => (await work()).pull(given),
  },
  {
    name: "push",
    args: "<folder>",
    summary: "Make the space equal to the files of a folder, and show the differences first",
    options: {
      ...SAME,
      deploy: { type: "boolean", help: "deploy the workflows of the folder" },
      force: { type: "boolean", help: "overwrite changes on both sides; earlier versions of workflows stay" },
      message: {
        type: "string",
        short: "m",
        value: "text",
        help: "a message for the new versions, and for the deployments",
      },
    },
    notes: [
      "A workflow without a file goes to the trash. The push is refused if something changed on both sides since the pull.",
    ],
    run: async given => (await work()).push(given),
  },
];
