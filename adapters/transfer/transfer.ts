/** The transfer cannot be done. The message gives the reason to the person who requested it. */
export class TransferError extends Error {
  override readonly name = "TransferError";
}

/** Reports progress. `what` names the current part of the work, and `unit` is the unit of `done` and `all`. */
export type OnProgress = (
  what: string,
  done: number,
  all: number,
  unit: "bytes" | "documents" | "files" | "records",
) => void;
