/** The sections of the settings, as they are named in the address. */
export const SECTIONS = ["general", "members", "spaces", "keys", "credentials", "variables", "usage", "audit"] as const;
export type Section = (typeof SECTIONS)[number];
