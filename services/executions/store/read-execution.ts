import type { Execution, Suspension } from "../../../contracts/entities/execution.ts";
import { notFound } from "../../../contracts/errors.ts";
import { openQuestions } from "../../../core/run/waits.ts";
import type { WithStore } from "../../../service-kit/store.mixin.ts";
import { ExecutionJournal } from "./journal.ts";
import { type ExecutionDoc, Executions } from "./model.ts";
import type { Values } from "./values.ts";
import { present } from "./present.ts";

/** The most questions shown at the same time. The others appear once these are answered. */
const MAX_SUSPENSIONS = 100;

/** The ids of an execution, its workspace and its space. */
export interface ExecutionAddress {
  workspaceId: string;
  spaceId: string;
  id: string;
}

export interface WithValues extends WithStore {
  values: Values;
}

/** @throws {AppError} not_found */
export async function getExecution(
  service: WithStore,
  { workspaceId, spaceId, id }: ExecutionAddress,
): Promise<ExecutionDoc> {
  const doc = await service.store.tenant(Executions, workspaceId).get({ id, spaceId });
  if (!doc) throw notFound("execution");
  return doc;
}

export const journalOf = (service: WithStore, { workspaceId, id }: { workspaceId: string; id: string }) =>
  new ExecutionJournal(service.store, workspaceId, id);

async function askedIn(journal: ExecutionJournal): Promise<Suspension[]> {
  const suspensions: Suspension[] = [];
  for (const { suspension } of openQuestions(await journal.fold())) {
    if (suspensions.length < MAX_SUSPENSIONS) suspensions.push(suspension);
  }
  return suspensions;
}

/** An execution with its input and, once it has completed, its output. Both come from the journal. */
export async function readExecution(service: WithValues, address: ExecutionAddress): Promise<Execution> {
  const doc = await getExecution(service, address);
  const journal = journalOf(service, address);
  const created = await journal.created();
  const suspensions = doc.asking ? await askedIn(journal) : undefined;
  const last = doc.status === "completed" ? await journal.last() : null;
  const { values } = service;
  return present(doc, {
    input: await values.shown(doc.workspaceId, created?.input),
    output: await values.shown(doc.workspaceId, last && "output" in last ? last.output : null),
    ...(suspensions && { suspensions }),
  });
}

/** An execution that ended on this node, with its input and output. */
export async function presentEnded(
  { values }: WithValues,
  { doc, state }: { doc: ExecutionDoc; state: { input: unknown; output: unknown } },
): Promise<Execution> {
  const input = await values.shown(doc.workspaceId, state.input);
  return present(doc, { input, output: await values.shown(doc.workspaceId, state.output) });
}
