// Measures how well the built-in rules and the built-in embedder do on Weft's own fixtures: npm run bench:quality [--
// misses]
import { conflictQuality, extractionQuality, HALVES } from "./memory-quality.ts";
import { type SequenceQuality, sequenceQuality, SETS } from "./sequence-quality.ts";
import { exactToolSearch, fixtureTools, toolQuestions, toolSearchQuality } from "./tool-search-quality.ts";
import { exactSearches, measure, passages, questions } from "./retrieval-quality.ts";

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const showMisses = process.argv.includes("misses");

function showSequences(name: string, sequences: SequenceQuality): void {
  console.log(
    `  sequences, ${name} (${sequences.lines}): changes ${percent(sequences.changes)} (precision ${percent(sequences.precision)}), ` +
      `repetitions ${percent(sequences.repetitions)} (precision ${percent(sequences.repetitionPrecision)})`,
  );
  console.log(
    `    wrongly superseded ${sequences.wrong}, merged ${sequences.merged}, kept without a fact ${sequences.junk}, facts kept ${percent(sequences.facts)}`,
  );
  for (const [group, { right, all }] of sequences.groups) console.log(`      ${group}: ${right} of ${all}`);
}

for (const half of HALVES) {
  const facts = extractionQuality(half);
  const conflicts = conflictQuality(half);
  console.log(`\n${half}`);
  console.log(
    `  extraction (${facts.lines} texts): precision ${percent(facts.precision)}, recall ${percent(facts.recall)}`,
  );
  console.log(
    `    types ${percent(facts.types)}, dates ${percent(facts.dates)}, remembered chatter ${facts.remembered}`,
  );
  console.log(
    `  superseding (${conflicts.lines} pairs): precision ${percent(conflicts.precision)}, recall ${percent(conflicts.recall)}`,
  );
  console.log(
    `    duplicates seen ${percent(conflicts.duplicates)}, look-alikes superseded ${conflicts.wrong}, merged ${conflicts.merged}`,
  );
  const sequences = sequenceQuality(half);
  showSequences(half, sequences);
  // Reading the misses of the other half would spoil it: it could no longer measure unseen sentences.
  if (showMisses && half === "tuned")
    console.log([...facts.misses, ...conflicts.misses, ...sequences.misses].map(miss => `    ${miss}`).join("\n"));
}

for (const set of Object.keys(SETS) as (keyof typeof SETS)[]) {
  const sequences = sequenceQuality(set);
  console.log("");
  showSequences(set, sequences);
  if (showMisses && set !== "unread") console.log(sequences.misses.map(miss => `    ${miss}`).join("\n"));
}

console.log(`\nretrieval (${passages().length} passages, ${questions().length} questions, built-in embedder, exact)`);
for (const [name, search] of Object.entries(exactSearches())) {
  const { ndcg, recall } = await measure(search);
  console.log(`  ${name.padEnd(8)} nDCG@10 ${ndcg.toFixed(3)}, recall@10 ${recall.toFixed(3)}`);
}

const found = await toolSearchQuality(exactToolSearch());
const servers = new Set(fixtureTools().map(({ server }) => server)).size;
console.log(
  `\ntool search (${fixtureTools().length} tools of ${servers} servers, ${toolQuestions().length} questions, exact)`,
);
console.log(`  recall@5 ${found.recall.toFixed(3)}, nDCG@10 ${found.ndcg.toFixed(3)}`);
if (showMisses) console.log(found.misses.map(miss => `    ${miss}`).join("\n"));
