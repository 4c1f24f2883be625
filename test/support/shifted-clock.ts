// Loaded by --import into a process under test: at SIGUSR2 its clock jumps by what CLOCK_FILE says, in milliseconds. Timers
// go on as they do when the clock of a machine is set.
import { readFileSync } from "node:fs";

const Real = Date;
let shift = 0;

process.on("SIGUSR2", () => {
  shift = Number(readFileSync(process.env.CLOCK_FILE ?? "", "utf8"));
});

// A proxy, so that every date is an instance of it, whoever made it.
globalThis.Date = new Proxy(Real, {
  construct: (target, given: unknown[]) =>
    Reflect.construct(target, given.length > 0 ? given : [Real.now() + shift]) as object,
  get: (target, name) => (name === "now" ? () => Real.now() + shift : (Reflect.get(target, name) as unknown)),
});
