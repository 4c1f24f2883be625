/** What the functions of an expression know of the step that it belongs to. It is the same however often it is read. */
export interface Moment {
  /** When the step began, in ms since 1970. All attempts of the step have the same time. */
  now: number;
  /** What `$uuid` is derived from: different for each step, attempt and expression. */
  seed: string;
  /** What `$resumeUrl` makes the addresses of steps of. Absent outside of a run. */
  resume?: ResumeAddress | undefined;
}

export interface ResumeAddress {
  /** The address up to the token. */
  base: string;
  workspaceId: string;
  executionId: string;
  /** The items around the step whose expression is evaluated. */
  path: readonly { nodeId: string; index: number }[];
  /** How many items are around each step inside of maps, by node id. Steps that are not named are outside of maps. */
  depths: Readonly<Record<string, number>>;
  /** The key of the run, in hexadecimal digits. */
  key: string;
}

/** The moment of one expression among those of a step. */
export const momentOf = ({ seed, ...moment }: Moment, ordinal: number): Moment => ({
  ...moment,
  seed: `${seed}#${ordinal}`,
});
