/** What the functions of an expression know of the step that it belongs to. It is the same however often it is read. */
export interface Moment {
  /** When the step began, in ms since 1970. All attempts of the step have the same time. */
  now: number;
  /** What `$uuid` is derived from: different for each step, attempt and expression. */
  seed: string;
}

/** The moment of one expression among those of a step. */
export const momentOf = ({ seed, ...moment }: Moment, ordinal: number): Moment => ({
  ...moment,
  seed: `${seed}#${ordinal}`,
});
