const plurals = new Intl.PluralRules("en");
const some = (n: number, one: string, other: string) => `${n} ${plurals.select(n) === "one" ? one : other}`;

/** The texts about an account beside its profile. Only pages that are loaded lazily use them. */
export const account = {
  factors: {
    title: "Second factor",
    lead: "A code of an authenticator app, beside the password.",
    setUp: "Set up an authenticator app",
    goOn: "Continue",
    scan: "Scan this with an authenticator app, and type the code that it shows.",
    qr: "QR code for the authenticator app",
    orType: "Or type this key:",
    code: "Code",
    wrongCode: "This code is wrong or has been used. Wait for the next one.",
    confirm: "Turn on",
    codes: "Recovery codes",
    codesLead:
      "Keep these recovery codes. Each signs you in once when you do not have the app. They are not shown again.",
    copyCodes: "Copy",
    saveCodes: "Save as a file",
    kept: "I have kept them",
    since: "Authenticator app set up",
    codesLeft: (n: number) => `${some(n, "recovery code is", "recovery codes are")} left.`,
    renew: "New recovery codes",
    renewLead: "The former codes stop working.",
    remove: "Remove the app",
    removeLead: "You will sign in by password alone.",
    removed: "The authenticator app is removed",
    recent: "For this, sign out and in again: your account has no password, so a recent sign-in is needed.",
  },
  mails: {
    title: "Mails",
    label: "Notifications by mail",
    hint: "Mails about your account come in any case.",
    choices: { none: "None", now: "At once", hourly: "Hourly" },
  },
  activity: {
    title: "Activity",
    lead: "What was done with your account. If something was not you, change your password.",
    empty: "Nothing yet.",
    types: {
      signed_in: "Signed in",
      sign_in_failed: "Wrong password at sign-in",
      factor_failed: "Right password, wrong code",
      password_changed: "Password changed",
      password_reset: "Password reset by a link",
      email_changed: "Address changed",
      totp_added: "Authenticator app set up",
      totp_removed: "Authenticator app removed",
      recovery_codes_renewed: "New recovery codes",
      provider_linked: "Provider linked",
      provider_removed: "Provider removed",
      sso_refused: "Sign-in by a provider refused",
      recovery_code_used: "Signed in by a recovery code",
    },
  },
};
