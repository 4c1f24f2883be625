/** It cannot be done, for a reason that the message says to whoever asked for it. */
export class TransferError extends Error {
  override readonly name = "TransferError";
}
