/** The sections of the settings, as their addresses name them. */
export const SECTIONS = ["general", "members", "spaces", "keys", "credentials", "variables", "usage", "audit"] as const;
export type Section = (typeof SECTIONS)[number];
