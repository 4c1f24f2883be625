import type { SealedField } from "../../adapters/secrets/reseal.ts";
import { type Command, CommandError, type Invocation, UsageError } from "../command.ts";
import { DATA_DIR_OPTION } from "../installation.ts";
import { longWork } from "../long-work.ts";
import type { Rotated, RotateOptions } from "../rotate-key.ts";
import type { Opened } from "../store.ts";
import { jsonText, printMessage, printResult, table, withoutControls } from "../terminal.ts";

const SETTLE_SECONDS = "5";

function settleMs(given: Invocation): number {
  const text = given.text("settle") ?? SETTLE_SECONDS;
  if (!/^\d{1,4}(\.\d+)?$/.test(text)) throw new UsageError("--settle takes a number of seconds");
  return Number(text) * 1_000;
}

async function withSecrets<T>(
  given: Invocation,
  run: (opened: Opened, fields: SealedField[]) => Promise<T>,
): Promise<T> {
  const [{ COLLECTIONS }, { sealedFields }, { withStore }] = await Promise.all([
    import("../collections.ts"),
    import("../../adapters/secrets/reseal.ts"),
    import("../store.ts"),
  ]);
  const fields = sealedFields(COLLECTIONS);
  const specs = [...new Set(fields.map(({ spec }) => spec))];
  try {
    return await withStore(given, specs, opened => run(opened, fields));
  } catch (error) {
    throw (error as Error).name === "ConfigError"
      ? new CommandError((error as Error).message, { cause: error })
      : error;
  }
}

/**
 * Prints the next step for operators whose nodes get their keys from the environment. First every node must know the
 * new key, and only then may nodes seal with it.
 */
async function sayNextKey(given: Invocation): Promise<void> {
  const { newSecret } = await import("../../config/secrets.ts");
  const newKey = newSecret();
  printResult(given.flag("json") ? jsonText({ newKey }) : newKey);
  printMessage("This is a new key. The environment sets SECRETS_KEY, so do these steps:");
  printMessage("  1. Add the new key to SECRETS_KEYS_OLD on all nodes, and restart them one by one.");
  printMessage(
    "  2. Set it as SECRETS_KEY on all nodes, move the former key to SECRETS_KEYS_OLD, and restart them one by one.",
  );
  printMessage("  3. Run weft secrets rotate with that environment. It seals all data with the new key.");
  printMessage("  4. Remove SECRETS_KEYS_OLD.");
}

function sayRotated(given: Invocation, { keyId, resealed, lost, named }: Rotated, last: string): void {
  if (given.flag("json")) return printResult(jsonText({ keyId, resealed, lost, named }));
  const dropped = given.flag("drop-lost");
  const what = lost === 0 || dropped ? "All data" : "All readable data";
  printResult(`${what} is sealed with the key ${keyId}; ${resealed} values were sealed again. ${last}`);
  if (lost === 0) return;
  printMessage(
    dropped
      ? `Removed ${lost} values that no known key opens:`
      : `No known key opens ${lost} values; --drop-lost removes them:`,
  );
  for (const one of named) printMessage(withoutControls(`  ${one}`));
  if (lost > named.length) printMessage(`  and ${lost - named.length} more`);
}

function rotate(given: Invocation): Promise<number | void> {
  const chosen = { dropLost: given.flag("drop-lost"), settleMs: settleMs(given) };
  return longWork(given, (signal, onProgress) =>
    withSecrets(given, async (opened, fields) => {
      const { openHashKey, resealAll, rotateKeptKey } = await import("../rotate-key.ts");
      const options: RotateOptions = { fields, ...chosen, signal, onProgress };
      if (opened.keepsKey) return sayRotated(given, await rotateKeptKey(opened, options), "The former key is gone.");
      if (opened.oldKeys.length === 0 && !options.dropLost) return sayNextKey(given);
      await openHashKey(opened, options.dropLost);
      const rotated = await resealAll(opened, options);
      sayRotated(given, rotated, "Once all nodes run with this SECRETS_KEY, SECRETS_KEYS_OLD can go.");
    }),
  );
}

function status(given: Invocation): Promise<number | void> {
  return longWork(given, (signal, onProgress) =>
    withSecrets(given, async ({ store, keyring }, fields) => {
      const { countSealed } = await import("../../adapters/secrets/reseal.ts");
      const counts = await countSealed(store, fields, signal, (name, seen, all) =>
        onProgress(`Counting ${name}`, seen, all, "documents"),
      );
      const first = keyring.first.id;
      const uses = (id: string | null) =>
        id === first ? "in use" : id === null ? "without an id" : keyring.find(id) ? "known" : "unknown";
      const rows = counts.map(({ field, keyId, count }) => ({ field, keyId, key: uses(keyId), count }));
      if (given.flag("json")) return printResult(jsonText({ keyId: first, texts: rows }));
      printResult(`The key in use is ${first}.`);
      const cells = rows.map(({ field, keyId, key, count }) => [field, keyId ?? "", key, String(count)]);
      printResult(table(["FIELD", "KEY", "", "TEXTS"], cells));
    }),
  );
}

export const SECRETS: Command[] = [
  {
    name: "secrets rotate",
    summary: "Replace the key that encrypts secrets, even while Weft runs",
    options: {
      settle: {
        type: "string",
        value: "seconds",
        help: `how long to wait for work in progress in running processes; default: ${SETTLE_SECONDS}`,
      },
      "drop-lost": { type: "boolean", help: "remove values that no known key can decrypt" },
      ...DATA_DIR_OPTION,
    },
    notes: [
      "If the key is in the data folder, running processes load the new key by themselves. If the environment sets",
      "SECRETS_KEY, the command prints a new key and further steps; after these steps, run it again to seal all data. To",
      "continue after an interruption, run the command again.",
      "It uses the store that the environment names (DATA_DIR, MONGODB_URI), not --url.",
    ],
    run: rotate,
  },
  {
    name: "secrets status",
    summary: "Count the encrypted values per key",
    options: DATA_DIR_OPTION,
    run: status,
  },
];
