// Loaded with --import into a process under test. At the start and on SIGUSR2, it sets the clock ahead by the
// milliseconds in CLOCK_FILE. Timers continue as if the clock of a machine was set.
import { existsSync, readFileSync } from "node:fs";
import { shiftDate } from "./shift-date.ts";

const file = process.env.CLOCK_FILE ?? "";
const read = () => (existsSync(file) ? Number(readFileSync(file, "utf8")) : 0);
let shift = read();

process.on("SIGUSR2", () => {
  shift = read();
});
shiftDate(() => shift);
