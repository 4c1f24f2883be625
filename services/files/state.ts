import { config } from "../../config.ts";
import { handle } from "../../contracts/call.ts";
import type { WithFiles } from "../../service-kit/files.mixin.ts";

/** A probe writes to the store, so its result is cached for a while. A failure is checked again sooner. */
const KEEP_MS = { ok: 15_000, down: 1_000 };
const PROBE_MS = 1_500;

function kindOfStore() {
  const { FILES_URL, MONGODB_URI } = config();
  if (FILES_URL) return "s3" as const;
  return MONGODB_URI ? ("gridfs" as const) : ("folder" as const);
}

type State = "ok" | "down";
let kept: { state: State; until: number } | undefined;

async function probe({ files }: WithFiles): Promise<State> {
  const late = new Promise<State>(resolve => setTimeout(() => resolve("down"), PROBE_MS).unref());
  const ping = files
    .vault()
    .then(({ objects }) => objects.ping())
    .then(
      () => "ok" as const,
      () => "down" as const,
    );
  return Promise.race([ping, late]);
}

export const state = handle<"files.state", WithFiles>("files.state", async function () {
  if (!kept || performance.now() >= kept.until) {
    const found = await probe(this);
    kept = { state: found, until: performance.now() + KEEP_MS[found] };
  }
  return { store: kindOfStore(), state: kept.state };
});
