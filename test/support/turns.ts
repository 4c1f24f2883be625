import { setImmediate as nextTurn } from "node:timers/promises";

/** Counts the turns of the event loop that other work gets until `work` has ended. */
export async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const over = work.finally(() => (isOver = true));
  while (!isOver) {
    await nextTurn();
    turns++;
  }
  await over;
  return turns;
}

/** A clock by which every piece of work takes longer than a turn. */
export const hurrying = () => {
  let time = 0;
  return () => (time += 11);
};
