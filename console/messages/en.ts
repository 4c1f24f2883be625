import { answers } from "./en-answers.ts";
import { compare } from "./en-compare.ts";
import { pages } from "./en-pages.ts";
import { run } from "./en-run.ts";

const plurals = new Intl.PluralRules("en");
const percents = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 });
const numbers = new Intl.NumberFormat("en");

/** A number with the form of the noun that belongs to it. */
export const count = (n: number, one: string, other: string): string =>
  `${numbers.format(n)} ${plurals.select(n) === "one" ? one : other}`;

export const en = {
  appName: "Weft",
  cancel: "Cancel",
  clear: "Clear",
  close: "Close",
  percent: (share: number) => percents.format(share),
  loading: "Loading",
  save: "Save",
  saved: "Saved",
  copied: "Copied",
  tryAgain: "Try again",
  requestId: "Request",
  breadcrumbs: "Breadcrumbs",
  skipToContent: "Skip to content",
  number: (n: number) => numbers.format(n),
  count,
  field: { showPassword: "Show password", hidePassword: "Hide password" },
  status: {
    completed: "Completed",
    running: "Running",
    retrying: "Retrying",
    suspended: "Waiting",
    asking: "Asks",
    failed: "Failed",
    pending: "Queued",
    cancelled: "Cancelled",
    skipped: "Skipped",
  },
  role: { viewer: "Viewer", editor: "Editor", admin: "Admin", owner: "Owner" },
  needsRole: (role: string) => `Needs the role ${role.toLowerCase()}`,
  places: {
    home: "Home",
    workflows: "Workflows",
    runs: "Runs",
    approvals: "Approvals",
    schedules: "Schedules",
    webhooks: "Webhooks",
    settings: "Settings",
    me: "Your account",
    notifications: "Notifications",
  },
  problem: {
    offline: "Weft cannot be reached",
    offlineDetail: "The service did not answer. Check the connection; what is shown stays.",
    signedOut: "You are signed out",
    forbidden: "Your role does not allow this",
    notFound: "Not found",
    notFoundDetail: "It does not exist, or you have no access to it.",
    rateLimited: (seconds: number) => `Too many requests. Try again in ${count(seconds, "second", "seconds")}.`,
    unexpected: "Something went wrong on this page",
    asOf: (time: string) => `Connection lost. Shown as of ${time}; trying again.`,
  },
  shell: {
    navigation: "Workspace",
    openMenu: "Open menu",
    collapse: "Collapse sidebar",
    expand: "Expand sidebar",
    switchWorkspace: "Switch workspace",
    newWorkspace: "New workspace",
    workspaceName: "Name of the workspace",
    create: "Create",
    account: "Your account",
    signOut: "Sign out",
    help: "Help",
    documentation: "Documentation",
    apiReference: "API reference",
    shortcuts: "Keyboard shortcuts",
    search: "Search or jump to",
    commands: "Commands",
    noCommand: "Nothing matches",
    theme: "Theme",
    version: (version: string) => `Weft ${version}`,
  },
  shortcut: {
    palette: "Search and commands",
    go: "Go to a place",
    filter: "Filter the page",
    next: "Next row",
    previous: "Previous row",
    mark: "Mark a row",
    open: "Open a row",
    help: "This help",
    everywhere: "Everywhere",
    off: "Single-letter keys can be turned off under your account.",
  },
  once: {
    copy: "Copy",
    copied: "Copied",
    select: "Copying is not allowed here. Select the text and copy it.",
  },
  ...answers,
  ...compare,
  ...pages,
  ...run,
};
