/** Who may register at an installation. Its operator sets this. */
export const REGISTRATION_MODES = ["open", "first", "invite", "closed"] as const;
export type RegistrationMode = (typeof REGISTRATION_MODES)[number];

/** The mode that applies at this moment. `first`: there is no account yet, and the next person may register. */
export function registrationNow(mode: RegistrationMode, isEmpty: boolean): RegistrationMode {
  if (mode === "open" || mode === "first") return isEmpty ? "first" : mode === "first" ? "invite" : "open";
  return mode;
}

/** Whether a person may register: not at all, as anyone may, or only as the first account of the installation. */
export function admission(
  mode: RegistrationMode,
  { isEmpty, isInvited }: { isEmpty: boolean; isInvited: boolean },
): "refused" | "admitted" | "admitted-as-first" {
  if (mode === "open") return "admitted";
  if (mode === "closed") return "refused";
  if (isInvited) return "admitted";
  return mode === "first" && isEmpty ? "admitted-as-first" : "refused";
}
