/** The texts about an account beside its profile. */
export const account = {
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
