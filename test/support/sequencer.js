import Sequencer from "@jest/test-sequencer";

/** Suites that mostly wait for processes, before those that mostly compute. */
const ROOMS = ["system", "files", "services", "mcp", "store", "search", "unit"];

const rankOf = ({ path }) => ROOMS.findIndex(room => path.includes(`/test/${room}/`));

/**
 * Begins with the suites that take longest, also in a fresh clone, where Jest does not know yet how long each takes: one
 * of them at the end would leave the other workers idle.
 */
export default class SystemFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((a, b) => rankOf(a) - rankOf(b));
  }
}
