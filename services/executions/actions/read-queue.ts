import { handle } from "../../../contracts/call.ts";
import type { WithStore } from "../../../service-kit/store.mixin.ts";
import { countQueue } from "../store/count-queue.ts";

export const queue = handle<"executions.queue", WithStore>("executions.queue", async function () {
  return (await countQueue(this.store, new Date())).count;
});
