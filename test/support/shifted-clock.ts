// Loaded by --import into a process under test: when it starts, and at SIGUSR2, its clock is set by what CLOCK_FILE says, in
// milliseconds ahead. Timers go on as they do when the clock of a machine is set.
import { existsSync, readFileSync } from "node:fs";

const Real = Date;
const file = process.env.CLOCK_FILE ?? "";
const read = () => (existsSync(file) ? Number(readFileSync(file, "utf8")) : 0);
let shift = read();

process.on("SIGUSR2", () => {
  shift = read();
});

// A proxy, so that every date is an instance of it, whoever made it.
globalThis.Date = new Proxy(Real, {
  construct: (target, given: unknown[]) =>
    Reflect.construct(target, given.length > 0 ? given : [Real.now() + shift]) as object,
  get: (target, name) => (name === "now" ? () => Real.now() + shift : (Reflect.get(target, name) as unknown)),
});
