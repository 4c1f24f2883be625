import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import { AppError } from "../../contracts/errors.ts";

/**
 * Argon2id, the package's default algorithm, with OWASP's first recommendation (Password Storage Cheat Sheet): 19 MiB,
 * 2 passes, 1 lane.
 */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Each hash occupies a core for about 30 ms. More at the same time would delay file and socket work in the same thread
 * pool.
 */
const MAX_RUNNING = Math.max(1, Math.min(4, availableParallelism() - 1));
const MAX_WAITING = 100;
/**
 * Callers give up after 10 seconds. A call that has waited this long is refused, because its response might come too
 * late.
 */
const MAX_WAIT_MS = 5_000;

let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const since = performance.now();
  if (running < MAX_RUNNING) running++;
  else if (waiting.length >= MAX_WAITING) throw new AppError("unavailable", { retryAfterSeconds: 2 });
  else await new Promise<void>(resolve => waiting.push(resolve));
  try {
    if (performance.now() - since > MAX_WAIT_MS) throw new AppError("unavailable", { retryAfterSeconds: 2 });
    return await work();
  } finally {
    const next = waiting.shift();
    // The slot passes to the call that waited longest.
    if (next) next();
    else running--;
  }
}

/** @throws {AppError} unavailable when too many hashes are waiting */
export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password, OPTIONS));

let decoy: Promise<string> | undefined;

/** The hash to compare with for an unknown user, so that the response takes equally long. */
export const decoyHash = (): Promise<string> => (decoy ??= hash(randomBytes(32), OPTIONS));

/** @throws {AppError} unavailable when too many hashes are waiting */
export const isPassword = (password: string, passwordHash: string): Promise<boolean> =>
  inTurn(() => verify(passwordHash, password));
