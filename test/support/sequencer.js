import Sequencer from "@jest/test-sequencer";

/** Folders whose suites mostly compute. All other suites mostly wait for processes. */
const COMPUTING = /\/test\/(store|search|unit)\//;
/** The suites that take longest although their files are not large. */
const LONGEST = [
  ...["system/sql-step", "system/degraded-search", "system/access", "system/credentials-leak", "system/killed-maps"],
  ...["unit/sdk-package", "system/hostile-workflows", "system/lost-nodes", "system/backup", "unit/expressions"],
  ...["services/memory-keys", "system/model-credentials", "system/killed-deletion", "system/delete-person"],
  ...[
    "system/guesses",
    "system/memory",
    "system/mail",
    "unit/claim-protocol",
    "services/runs-together",
    "unit/sandbox",
  ],
  ...["browser/walk", "browser/walk-bare", "browser/run-page", "browser/real-workflows", "browser/operators"],
  ...["browser/whole-product", "browser/live", "browser/resources", "browser/pseudo-locale", "browser/inspector"],
];

const isLongest = ({ path }) => LONGEST.some(name => path.endsWith(`/${name}.test.ts`));

/** The tests, each with its relative position in the list. */
const placed = tests => tests.map((test, at) => ({ test, place: at / tests.length }));

/**
 * Runs the longest suites first, also in a fresh clone, where Jest does not yet know their durations. A long suite at
 * the end would leave the other workers idle. Of all others, computing suites run between waiting ones, and use the
 * processors meanwhile.
 */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const others = sorted.filter(test => !isLongest(test));
    const mixed = [true, false].flatMap(computing =>
      placed(others.filter(({ path }) => COMPUTING.test(path) === computing)),
    );
    return [...sorted.filter(isLongest), ...mixed.sort((a, b) => a.place - b.place).map(({ test }) => test)];
  }
}
