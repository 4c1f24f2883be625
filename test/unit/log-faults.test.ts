import type { ServiceBroker } from "moleculer";
import { logFaults } from "../../config/process.ts";

const KINDS = ["warning", "uncaughtException"] as const;
const before = KINDS.map(kind => process.listeners(kind as "warning"));
const logger = { warn: jest.fn(), fatal: jest.fn() };

beforeAll(() => {
  for (const kind of KINDS) process.removeAllListeners(kind);
  process.on("warning", () => undefined);
  logFaults(logger as unknown as ServiceBroker["logger"]);
});
afterAll(() => {
  jest.restoreAllMocks();
  for (const [i, kind] of KINDS.entries()) {
    process.removeAllListeners(kind);
    before[i]!.forEach(listener => process.on(kind as "warning", listener));
  }
});

it("logs the warnings of Node and prints none, except of experimental features", () => {
  expect(process.listenerCount("warning")).toBe(1);
  const warning = Object.assign(new Error("11 listeners added"), { name: "MaxListenersExceededWarning" });
  process.emit("warning", warning);
  process.emit("warning", Object.assign(new Error("new"), { name: "ExperimentalWarning" }));
  expect(logger.warn.mock.calls).toEqual([["Node.js has emitted a warning.", warning]]);
});

it("logs an uncaught error, and ends the process with 1", () => {
  const exit = jest.spyOn(process, "exit").mockImplementation((() => undefined) as never);
  const error = new Error("boom");
  (process as NodeJS.EventEmitter).emit("uncaughtException", error, "unhandledRejection");
  expect(logger.fatal.mock.calls).toEqual([["The process ends: unhandledRejection.", error]]);
  expect(exit).toHaveBeenCalledWith(1);
});
