import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import { AppError } from "../../contracts/errors.ts";

/** Argon2id, the package's default algorithm, with OWASP's first choice (Password Storage Cheat Sheet): 19 MiB, 2 passes, 1 lane. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Each takes a core for about 30 ms: more at a time would only hold up the files and sockets of the same threads. */
const MAX_RUNNING = Math.max(1, Math.min(4, availableParallelism() - 1));
const MAX_WAITING = 100;

let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running < MAX_RUNNING) running++;
  else if (waiting.length >= MAX_WAITING) throw new AppError("unavailable", { retryAfterSeconds: 2 });
  else await new Promise<void>(resolve => waiting.push(resolve));
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    // The place passes on to the one that waited longest.
    if (next) next();
    else running--;
  }
}

/** Errors: unavailable, when more are waiting than can be served soon. */
export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password, OPTIONS));

let nobody: Promise<string> | undefined;

/** What to compare with where there is no user, so that the answer takes as long. */
export const nobodysHash = (): Promise<string> => (nobody ??= hash(randomBytes(32), OPTIONS));

/** Errors: unavailable, as above. */
export const isPassword = (password: string, passwordHash: string): Promise<boolean> =>
  inTurn(() => verify(passwordHash, password));
