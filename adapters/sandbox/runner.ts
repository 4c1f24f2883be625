import { setImmediate as nextTurn } from "node:timers/promises";
import { serveTasks } from "../processes/serve-tasks.ts";
import { createEngine, type Engine } from "./engine.ts";
import type { Answer, Task } from "./messages.ts";
import { prepareRun, type PreparedRun } from "./prepare-run.ts";

interface Ready {
  engine: Engine;
  prepared: PreparedRun;
}

async function prepare(used?: Engine): Promise<Ready> {
  const engine = used ?? (await createEngine());
  return { engine, prepared: prepareRun(engine) };
}

/** The sandbox in an engine that has not run code yet. */
let unused = prepare();
/**
 * The sandbox in an engine that ran code of the same group before. Code that escapes its runtime finds no data of other
 * groups.
 */
let used: { group: string; next: Promise<Ready> } | undefined;

async function answer(task: Task): Promise<Answer> {
  const taken = used?.group === task.group ? used.next : unused;
  const { engine, prepared } = await taken;
  const given = prepared.run(task);
  // Prepares the next sandbox after this answer is sent.
  const later = nextTurn();
  if (taken === unused) unused = later.then(() => prepare());
  used = { group: task.group, next: later.then(() => prepare(prepared.end() ? engine : undefined)) };
  return given;
}

void unused.then(() => serveTasks(answer));
