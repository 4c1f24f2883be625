/** The fact types that the rules assign. Callers and models may use other types. */
export const FACT_TYPES = ["fact", "preference", "event", "profile", "system"] as const;
export type FactType = (typeof FACT_TYPES)[number];

/** A fact in a form that can be compared. All texts are normalised and not for display. */
export interface Slots {
  /** The subject: `user`, `user/mother`, `anna`, `assistant`. */
  subject: string;
  relation: string;
  value: string;
  /** The fact does not hold, or no longer holds. */
  negated: boolean;
  /** The circumstances: `weekend`, `work`. Facts with different circumstances stand side by side. */
  qualifiers: string[];
  /** Only one value holds at a time. A newer value supersedes an older one. */
  single: boolean;
  /** The value that the fact explicitly supersedes. */
  replaces?: string;
  /** Another statement that this fact ends. */
  ends?: { subject: string; relation: string; value: string };
  /** The value without its quantities, for facts about the present. Another fact with the same frame supersedes it. */
  frame?: string;
  /** The fact states a change. */
  update?: true;
  /**
   * Another key of the subject, which includes its kind: `user/client acm` for `acm`. Earlier versions stored it as the
   * subject.
   */
  alias?: string;
  /** The reading of earlier versions, if it differs. */
  formerly?: { subject: string; relation: string; value: string; negated: boolean };
}

/** The current reading of a statement, and the reading of earlier versions. */
export const readingsOf = (slots: Slots): Slots[] => [
  slots,
  ...(slots.alias === undefined ? [] : [{ ...slots, subject: slots.alias }]),
  ...(slots.formerly === undefined ? [] : [{ ...slots, ...slots.formerly }]),
];

export interface Fact {
  /** One statement in the third person. */
  content: string;
  factType: FactType;
  /** ISO 8601, to the day: when the event happened or will happen. */
  eventDate: string | null;
  /** From 0 to 1. */
  confidence: number;
  /** The position in the text. The end is exclusive. */
  span: { start: number; end: number };
  /** Null if the rules could only keep the whole sentence. */
  slots: Slots | null;
}

/** The person whose memory it is. If `name` is given, it replaces "The user". */
export interface Speaker {
  name?: string | undefined;
}

export const nameOf = (user: Speaker | undefined): string => user?.name?.trim() || "The user";
