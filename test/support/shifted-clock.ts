// Loaded by --import into a process under test: when it starts, and at SIGUSR2, its clock is set by what CLOCK_FILE says, in
// milliseconds ahead. Timers go on as they do when the clock of a machine is set.
import { existsSync, readFileSync } from "node:fs";
import { shiftDate } from "./shift-date.ts";

const file = process.env.CLOCK_FILE ?? "";
const read = () => (existsSync(file) ? Number(readFileSync(file, "utf8")) : 0);
let shift = read();

process.on("SIGUSR2", () => {
  shift = read();
});
shiftDate(() => shift);
