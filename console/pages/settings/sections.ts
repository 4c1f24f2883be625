/** The sections of the settings, as their addresses name them. */
export const SECTIONS = ["general", "members", "keys"] as const;
export type Section = (typeof SECTIONS)[number];
