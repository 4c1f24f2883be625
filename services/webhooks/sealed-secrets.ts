import type { Sealer } from "../../adapters/secrets/sealer.ts";
import type { WebhookDoc } from "./model.ts";

/** How long a secret is accepted after it was rotated. */
export const ROTATION_MS = 24 * 3_600_000;
/** How many rotated secrets are accepted at the same time. A further rotation ends the oldest. */
export const MAX_PREVIOUS = 5;

/**
 * The secrets of an hmac webhook. They are sealed and not hashed, because checking a signature needs the secret itself.
 */
export interface SealedSecrets {
  /** Undefined if a credential holds the secret. */
  current?: string;
  previous: { secret: string; until: string }[];
  /** The token that Meta sends when it verifies the address. */
  verifyToken?: string;
}

/** @throws {Error} when no known key can decrypt them */
export function openSecrets(sealer: Sealer, { id, secrets }: Readonly<WebhookDoc>): SealedSecrets | undefined {
  return secrets ? (JSON.parse(sealer.open(secrets, id)) as SealedSecrets) : undefined;
}

export const sealSecrets = (sealer: Sealer, id: string, secrets: SealedSecrets): string =>
  sealer.seal(JSON.stringify(secrets), id);

/** The secrets that are still accepted, the newest first. */
export const stillValid = <T extends { until: string }>(previous: readonly T[], now: Date): T[] =>
  previous.filter(({ until }) => new Date(until) > now);

/** The previous secrets after a rotation. */
export function withPrevious<T extends { until: string }>(latest: T, previous: readonly T[], now: Date): T[] {
  return [latest, ...stillValid(previous, now)].slice(0, MAX_PREVIOUS);
}
