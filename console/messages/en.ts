import { compare } from "./en-compare.ts";
import { pages } from "./en-pages.ts";

const plurals = new Intl.PluralRules("en");
const percents = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 });
const oneOf = new Intl.ListFormat("en", { type: "disjunction" });
const numbers = new Intl.NumberFormat("en");

/** A number with the singular or plural of its noun. */
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
  /** A long id is cut, because its beginning is enough to recognise it. */
  searchFor: (text: string) => `Search for ${text.length > 20 ? `${text.slice(0, 8)}…` : text}`,
  requestId: "Request",
  breadcrumbs: "Breadcrumbs",
  toasts: "Messages",
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
    unstarted: "Not started",
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
    templates: "Templates",
    schedules: "Schedules",
    webhooks: "Webhooks",
    knowledge: "Knowledge",
    tools: "Tools",
    memory: "Memory",
    playground: "Playground",
    files: "Files",
    settings: "Settings",
    me: "Your account",
    notifications: "Notifications",
    operator: "Operator",
  },
  problem: {
    offline: "Weft cannot be reached",
    offlineDetail: "The service did not answer. Check the connection; what is shown stays.",
    opensLater: "The service does not answer. The page opens as soon as it does.",
    forbidden: "Your role does not allow this",
    notFound: "Not found",
    notFoundDetail: "It does not exist, or you have no access to it.",
    rateLimited: (seconds: number) =>
      seconds > 0
        ? `Too many requests. Try again in ${count(seconds, "second", "seconds")}.`
        : "Too many requests. You can try again now.",
    wrongPassword: "The e-mail address or the password is wrong.",
    tooManyTries: (seconds: number) =>
      seconds > 0
        ? `Too many attempts. Try again in ${count(seconds, "second", "seconds")}.`
        : "Too many attempts. You can try again now.",
    whoMay: (names: readonly string[]) => `Ask ${oneOf.format(names)}.`,
    notLoaded: "A part of this page could not be loaded",
    notLoadedDetail: "It is requested again until it is there. If the service was updated, load the page again.",
    unexpected: "Something went wrong on this page",
    asOf: (time: string) => `Connection lost. Shown as of ${time}; trying again.`,
    awayAsOf: (time: string) => `The service does not answer. Shown as of ${time}; trying again.`,
  },
  shell: {
    navigation: "Workspace",
    openMenu: "Open menu",
    collapse: "Collapse sidebar",
    expand: "Expand sidebar",
    siblings: (title: string) => `Switch from ${title}`,
    switchWorkspace: "Switch workspace",
    backTo: (workspace: string) => `Back to ${workspace}`,
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
    docsOfPage: "About this page",
    theme: "Theme",
    themes: { system: "System", light: "Light", dark: "Dark" },
    bell: (n: number) => (n === 0 ? "Notifications" : `Notifications, ${n} unread`),
    manyUnread: "99+",
    version: (version: string) => `Weft ${version}`,
  },
  shortcut: {
    palette: "Search and commands",
    go: "Go to a place",
    filter: "Filter the page",
    next: "Next row",
    previous: "Previous row",
    mark: "Select a row",
    open: "Open a row",
    help: "All keys",
    everywhere: "Everywhere",
    off: "Single-letter keys can be turned off under your account.",
  },
  once: {
    copy: "Copy",
    copied: "Copied",
    select: "Copying is not allowed here. Select the text and copy it.",
  },
  ...compare,
  ...pages,
};
