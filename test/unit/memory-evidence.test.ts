import { sequencesOf } from "../../bench/quality/sequence-quality.ts";
import { outlineOf } from "../../core/memory/alignment/outline.ts";
import { type Profile, profileOf } from "../../core/memory/alignment/profile.ts";
import { isCommon, readingOf } from "../../core/memory/evidence/reading.ts";
import { signalsOf } from "../../core/memory/evidence/signals.ts";
import { scores } from "../../core/memory/evidence/weigh.ts";
import { WEIGHTS } from "../../core/memory/evidence/weights.ts";

const weights = new Map(
  WEIGHTS.trim()
    .split(/ \| |\n/)
    .map(row => {
      const [, name, change, same] = /^(.+) (\S+) (\S+)$/.exec(row)!;
      return [name!, { change: Number(change), same: Number(same) }];
    }),
);

/** The sums over all signals, with and without a weight. */
function sumsOf(now: Profile, before: Profile) {
  const sums = { change: 0, same: 0 };
  const take = (name: string, value: number) => {
    const { change, same } = weights.get(name) ?? { change: 0, same: 0 };
    sums.change += change * value;
    sums.same += same * value;
  };
  const [later, earlier] = [readingOf(now), readingOf(before)];
  if (!signalsOf(later, earlier, null, { isWanted: () => true, take })) return sums;
  for (const word of later.words) if (isCommon(word)) take(`now says ${word}`, 1);
  for (const word of earlier.words) if (isCommon(word)) take(`before says ${word}`, 1);
  return sums;
}

it("adds up the same evidence whether or not signals without a weight are computed", () => {
  const profiles = sequencesOf("changes").map(({ before, now }) =>
    [now, before].map(text => profileOf(text, outlineOf(text)!)),
  );
  const related = profiles.flatMap(([now, before]) => {
    const { isRelated, change, same } = scores(now!, before!, null);
    const sums = sumsOf(now!, before!);
    expect([change, same]).toEqual([expect.closeTo(sums.change, 9), expect.closeTo(sums.same, 9)]);
    return isRelated ? [sums] : [];
  });
  expect(related.length).toBeGreaterThan(50);
});

it("has weights only for words that are common enough to be fitted", () => {
  const words = [...weights.keys()].flatMap(name => /^(?:now|before) says (.+)$/.exec(name)?.[1] ?? []);
  expect(words.length).toBeGreaterThan(100);
  expect(words.filter(word => !isCommon(word))).toEqual([]);
});
