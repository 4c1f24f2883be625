// A process of its own on a data directory that others use too. Says on its standard output what was acknowledged.
import { openStore } from "../../adapters/store/open-store.ts";
import { items } from "./collections.ts";

const [dataDir = "", sync = "normal", name = "", inserts = "0", claims = "0"] = process.argv.slice(2);
const store = await openStore({ dataDir, sync: sync === "full" ? "full" : "normal", collections: [items] });
const own = store.tenant(items, name);
const shared = store.tenant(items, "shared");
const say = (line: string): boolean => process.stdout.write(`${line}\n`);

let next = 0;
async function insert(): Promise<void> {
  while (next < Number(inserts)) {
    const id = `${name}-${next++}`;
    await own.insert({ id, name, body: { text: "x".repeat(300) } });
    say(id);
  }
}
await Promise.all(Array.from({ length: 8 }, insert));

for (let n = 0; n < Number(claims); n++) {
  const change = { $set: { state: "taken", "lease.owner": name } } as const;
  const claimed = await shared.updateOne({ state: "open" }, change, { sort: { order: 1 } });
  if (claimed) say(claimed.id);
}
await store.close();
