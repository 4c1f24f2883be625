/** The transfer cannot be done. The message gives the reason to the person who requested it. */
export class TransferError extends Error {
  override readonly name = "TransferError";
}
