/** The texts for making a workflow. */
export const words = {
  create: "New workflow",
  blank: "Blank",
  fromTemplate: "From a template",
  chooseTemplate: "Choose a template",
  importFile: "Import a file of Weft or n8n",
  untitled: "Untitled workflow",
  imported: (n: number) => `Imported. ${n} ${n === 1 ? "thing" : "things"} to check`,
  notImported: "The file was not imported",
  noJson: (name: string) => `${name} holds no JSON.`,
};
