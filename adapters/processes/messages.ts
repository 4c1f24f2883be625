/**
 * A message from a process of a pool: the process is ready, or has the answer to its task. A process has one task at a
 * time.
 */
export type Message<Answer> = { ready: true } | { answer: Answer };
