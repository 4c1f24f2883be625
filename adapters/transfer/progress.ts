/** How far it is. `what` changes with each part of the work; `unit` is what `done` and `all` count. */
export type OnProgress = (what: string, done: number, all: number, unit: "bytes" | "documents") => void;
