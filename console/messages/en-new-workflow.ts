import { count } from "./count.ts";

/** The texts for creating a workflow. */
export const words = {
  create: "New workflow",
  blank: "Blank",
  blankDetail: "Start with an empty canvas.",
  fromTemplate: "From a template",
  allTemplates: "All templates",
  importFile: "Import a file of Weft or n8n",
  importN8n: "Import from n8n",
  importDetail: "Choose an exported file. You see what it becomes before it is imported.",
  untitled: "Untitled workflow",
  notImported: "The file was not imported",
  noJson: (name: string) => `${name} contains no JSON.`,
  tooLarge: (name: string) => `${name} is larger than 4 MiB, so it cannot be a workflow.`,
  importTitle: (name: string) => `Import ${name}`,
  importLead: "This is what the file becomes. Nothing is stored until you import it.",
  import: "Import",
  graph: "Steps of the imported workflow",
  steps: (n: number) => count(n, "step", "steps"),
  report: (n: number) => (n === 0 ? "Nothing to check" : count(n, "thing to check", "things to check")),
  reportLead: "The steps run as they are shown. Check these before you deploy:",
  clean: "Every node became a step, and no part was left out.",
  wholeWorkflow: "The whole workflow",
  reading: "Reading the file",
};
