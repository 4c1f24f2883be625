/** Reports the progress. `what` names the current part of the work; `unit` is the unit of `done` and `all`. */
export type OnProgress = (what: string, done: number, all: number, unit: "bytes" | "documents") => void;
