/** The texts of saved views. */
export const views = {
  title: "Views",
  all: "All runs",
  own: "Your views",
  ofWorkspace: "Views of the workspace",
  save: "Save this view",
  saveTitle: "Save the filters as a view",
  name: "Name",
  share: "For everyone in the workspace",
  edit: (name: string) => `Edit “${name}”`,
  update: (name: string) => `Update “${name}” with these filters`,
  updated: (name: string) => `“${name}” was updated`,
  changed: (name: string) => `${name}, changed`,
  remove: (name: string) => `Delete “${name}”`,
  deleted: (name: string) => `“${name}” was deleted`,
};
