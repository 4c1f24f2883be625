import { v7 as uuid } from "uuid";
import { CREDENTIAL_IN_TRANSIT } from "../contracts/actions/credentials.ts";
import type { OpenedCredential } from "../contracts/credentials/opened.ts";
import { errorCode } from "../contracts/errors.ts";
import { ShortLivedMap } from "./short-lived-map.ts";
import { sealerFor } from "./sealer.ts";

/** The prefix of this process's tickets. Other processes cannot guess it. */
const HERE = `here ${uuid()} `;

/**
 * The opened credentials that wait for a caller in this process, by ticket. Within a process, nothing needs to be
 * sealed. Callers take theirs at once, so the limits only apply to those of callers that have given up.
 */
const waiting = new ShortLivedMap<OpenedCredential>({ max: 1_000, ms: 60_000 });
let tickets = 0;

/**
 * Passes opened credentials to callers of `credentials.open`. The result of the action never shows a secret: a caller
 * in the same process gets a ticket, and a caller in another process gets the sealed credential.
 */
export class CredentialTransit {
  readonly #sealer = sealerFor(CREDENTIAL_IN_TRANSIT);

  pack(opened: OpenedCredential, { isHere }: { isHere: boolean }): string {
    if (!isHere) return this.#sealer.seal(JSON.stringify(opened), opened.id);
    // Counts, because creating random numbers for each ticket would take longer than everything else here.
    const ticket = HERE + ++tickets;
    waiting.set(ticket, opened);
    return ticket;
  }

  /** @throws {Error} when it was sealed with an unknown key, or taken before */
  unpack({ id, sealed }: { id: string; sealed: string }): OpenedCredential {
    if (!sealed.startsWith(HERE)) return JSON.parse(this.#sealer.open(sealed, id)) as OpenedCredential;
    const opened = waiting.take(sealed);
    if (!opened) throw new Error("The opened credential was taken before");
    return opened;
  }
}

const UNUSABLE: ReadonlySet<string | undefined> = new Set([
  "not_found",
  "credential_unreadable",
  "credential_needs_authorization",
]);

/** Whether an error of `credentials.open` means that the credential cannot be used. Other errors are temporary. */
export const isUnusable = (error: unknown): boolean => UNUSABLE.has(errorCode(error));
