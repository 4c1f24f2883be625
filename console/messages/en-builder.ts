const plurals = new Intl.PluralRules("en");
const some = (n: number, one: string, other: string) => `${n} ${plurals.select(n) === "one" ? one : other}`;
const steps = (n: number) => some(n, "step", "steps");

/** The texts of the builder. They are a module of their own, so that the first page does not load them. */
export const words = {
  command: {
    insert: (name: string) => `Insert “${name}”`,
    connect: "Connect",
    disconnect: (n: number) => `Delete ${some(n, "connection", "connections")}`,
    reconnect: "Reconnect",
    remove: (n: number, name: string) => (n === 1 ? `Delete “${name}”` : `Delete ${steps(n)}`),
    move: (n: number) => `Move ${steps(n)}`,
    tidy: "Tidy up",
    set: (field: string, id: string) => `Change ${field} of “${id}”`,
    name: (id: string) => `Rename “${id}”`,
    disable: (n: number) => `Disable ${steps(n)}`,
    enable: (n: number) => `Enable ${steps(n)}`,
    parent: (n: number, into: string | undefined) =>
      into === undefined ? `Take ${steps(n)} out` : `Put ${steps(n)} into “${into}”`,
    setting: "Change settings",
    rename: (name: string) => `Rename the workflow to “${name}”`,
    description: "Change the description",
    renameId: (from: string, to: string) => `Change the id “${from}” to “${to}”`,
    paste: (n: number) => `Paste ${steps(n)}`,
    addNote: "Add a note",
    setNote: "Change a note",
    deleteNote: "Delete a note",
  },
  edge: (source: string, handle: string, target: string) =>
    handle === "out" ? `${source} to ${target}` : `${source}, ${handle}, to ${target}`,
};
