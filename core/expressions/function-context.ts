/** What the functions of an expression know about their step. It is the same at each evaluation. */
export interface FunctionContext {
  /** When the step began, in ms since 1970. All attempts of the step have the same time. */
  now: number;
  /** The seed of `$uuid`. It differs for each step, attempt and expression. */
  seed: string;
  /** The data from which `$resumeUrl` builds addresses of steps. Absent outside a run. */
  resume?: ResumeAddress | undefined;
}

export interface ResumeAddress {
  /** The address up to the token. */
  base: string;
  workspaceId: string;
  executionId: string;
  /** The map items around the step whose expression is evaluated. */
  path: readonly { nodeId: string; index: number }[];
  /** The number of items around each step, by node id. Steps that are not listed are outside maps. */
  depths: Readonly<Record<string, number>>;
  /** The key of the run, in hexadecimal digits. */
  key: string;
}

/** The moment of one of a step's expressions, by its ordinal. */
export const functionContextOf = ({ seed, ...moment }: FunctionContext, ordinal: number): FunctionContext => ({
  ...moment,
  seed: `${seed}#${ordinal}`,
});
