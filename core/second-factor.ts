/** The number of wrong codes in a row after which further codes have to wait. */
const FREE = 5;
const FIRST_WAIT_MS = 30_000;
const MAX_WAIT_MS = 3_600_000;

/**
 * How long an account accepts no code after this many wrong ones in a row, in ms. Only a person who knows the password
 * gets here, so a stranger cannot lock anyone out. Recovery codes are never refused.
 */
export const codeWaitMs = (failures: number): number =>
  failures < FREE ? 0 : Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - FREE));

/** Normalises a recovery code for comparison: drops what people add, and unifies what they confuse. */
export const normaliseRecoveryCode = (code: string): string =>
  code.toLowerCase().replace(/[\s-]/g, "").replaceAll("o", "0").replaceAll(/[il]/g, "1");
