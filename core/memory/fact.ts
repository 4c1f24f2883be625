/** The kinds of facts that the rules make. Others come from callers and models. */
export const FACT_TYPES = ["fact", "preference", "event", "profile", "system"] as const;
export type FactType = (typeof FACT_TYPES)[number];

/** What a fact says, in a form in which two of them can be compared. All texts are normalised, none is for showing. */
export interface Slots {
  /** `user`, `user/mother`, `anna`, `assistant`. */
  subject: string;
  relation: string;
  value: string;
  /** It is not, or no longer, so. */
  negated: boolean;
  /** Under which it holds: `weekend`, `work`. Facts with different ones stand side by side. */
  qualifiers: string[];
  /** There is one value at a time: a newer one takes the place of an older one. */
  single: boolean;
  /** The value whose place it says it takes. */
  replaces?: string;
  /** Another statement that is over by this one. */
  ends?: { subject: string; relation: string; value: string };
  /** The value without its quantities, where it is of the present: another one with the same frame takes its place. */
  frame?: string;
  /** It says that something has changed. */
  update?: true;
}

export interface Fact {
  /** One statement in the third person. */
  content: string;
  factType: FactType;
  /** ISO 8601, to the day: when it happened or will. */
  eventDate: string | null;
  /** 0 to 1. */
  confidence: number;
  /** Where it was said: places in the text, the end exclusive. */
  span: { start: number; end: number };
  /** Null where the rules read no more than a sentence. */
  slots: Slots | null;
}

/** Whose memory it is. `name` stands for "The user" where it is given. */
export interface Speaker {
  name?: string | undefined;
}

export const nameOf = (user: Speaker | undefined): string => user?.name?.trim() || "The user";
