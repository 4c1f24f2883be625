import type { ServiceBroker } from "moleculer";
import { MAX_HELD } from "../../contracts/actions/files.ts";
import { call, handle } from "../../contracts/call.ts";
import { storedIn } from "../../core/run/references.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import type { WorkflowScope } from "./find-workflow.ts";
import { workflows } from "./model.ts";

/** Each document contains a definition, so only some are in memory at the same time. */
const AT_A_TIME = 50;

/** The part of the service that functions which write workflows need. */
export type Writer = WithStore & { broker: ServiceBroker };

/**
 * Holds the files that a definition refers to for as long as the workflow exists, because every version can run again.
 * @throws {AppError} unavailable
 */
export async function holdFiles({ broker }: Writer, { workspaceId, id }: WorkflowScope, definition: unknown) {
  const ids = [...storedIn(definition)].slice(0, MAX_HELD);
  if (ids.length > 0) await call(broker, "files.hold", { workspaceId, ids, owner: `workflow:${id}` });
}

/** A sample with its new value, or without a value if it is being removed. */
interface HeldSample {
  id: string;
  workspaceId: string;
  value?: unknown;
}

const sampleOwner = ({ id }: HeldSample) => `sample:${id}`;
const filesIn = (value: unknown) => [...storedIn(value)].slice(0, MAX_HELD);

/**
 * Holds the files that a sample refers to.
 * @throws {AppError} unavailable
 */
export async function holdSample({ broker }: Writer, sample: HeldSample): Promise<void> {
  const ids = filesIn(sample.value);
  const { workspaceId } = sample;
  if (ids.length > 0) await call(broker, "files.hold", { workspaceId, ids, owner: sampleOwner(sample) });
}

/**
 * Releases the files that a sample referred to before. If the call fails, the sweep of the holds of a removed sample
 * repeats it.
 */
export async function releaseSample({ broker }: Writer, sample: HeldSample, before: unknown): Promise<void> {
  if (filesIn(before).length === 0) return;
  const { workspaceId } = sample;
  await call(broker, "files.release", { workspaceId, owners: [sampleOwner(sample)], except: filesIn(sample.value) });
}

export const existing = handle<"workflows.existing", WithStore>("workflows.existing", async function (ctx) {
  const { workspaceId, ids } = ctx.params;
  const all = this.store.tenant(workflows, workspaceId);
  const existing: string[] = [];
  for (let i = 0; i < ids.length; i += AT_A_TIME) {
    const docs = await Promise.all(ids.slice(i, i + AT_A_TIME).map(id => all.shared({ id })));
    existing.push(...docs.flatMap(doc => (doc ? [doc.id] : [])));
  }
  return { existing };
});
