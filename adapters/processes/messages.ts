/** From a process of a pool: that it can take tasks, or the answer to the task that it had. It gets one at a time. */
export type Message<Answer> = { ready: true } | { answer: Answer };
