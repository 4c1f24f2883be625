/** The sections of the settings, as their addresses name them. */
export const SECTIONS = ["general", "members", "keys", "credentials", "usage"] as const;
export type Section = (typeof SECTIONS)[number];
