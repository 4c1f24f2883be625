const plurals = new Intl.PluralRules("en");
const some = (n: number, one: string, other: string) => `${n} ${plurals.select(n) === "one" ? one : other}`;

/** The texts of answering several questions at once. */
export const words = {
  mark: (prompt: string) => `Mark “${prompt}”`,
  toggle: "Mark the question, to answer several at once",
  otherForm: "It has another form than the marked questions.",
  mayNot: "Only its assignees and editors may answer it.",
  hasFile: "Its form asks for a file, which belongs to one run.",
  title: (n: number) => `${some(n, "question", "questions")} with one answer`,
  lead: "Each run gets the same answer. Questions with the same form can be marked.",
  questions: "Marked questions",
  leave: (prompt: string) => `Take out “${prompt}”`,
  clear: "Unmark all",
  answer: (n: number) => `Answer ${some(n, "marked question", "marked questions")}`,
  done: "Done",
  progress: (done: number, all: number) => `${done} of ${all} answered`,
  over: (sent: number, all: number) =>
    sent === all ? `All ${all} are answered` : `${sent} of ${all} are answered with this`,
  state: {
    waiting: "waits",
    sending: "is being sent",
    approved: "approved",
    rejected: "rejected",
    before: (name: string, approved: boolean) => `${name} was faster and ${approved ? "approved" : "rejected"}`,
    closed: "was not open any more",
    expired: "has expired",
  },
};
