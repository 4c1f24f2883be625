import { count } from "./count.ts";

/** The texts of answering several questions at once. */
export const words = {
  mark: (prompt: string) => `Select “${prompt}”`,
  toggle: "Select the question, to answer several at once",
  otherForm: "Its form differs from that of the selected questions.",
  mayNot: "Only its assignees and editors may answer it.",
  hasFile: "Its form asks for a file, which belongs to one run.",
  title: (n: number) => `${count(n, "question", "questions")} with one answer`,
  lead: "Each run gets the same answer. You can select questions with the same form.",
  questions: "Selected questions",
  leave: (prompt: string) => `Remove “${prompt}”`,
  clear: "Clear selection",
  answer: (n: number) => `Answer ${count(n, "selected question", "selected questions")}`,
  done: "Done",
  progress: (done: number, all: number) => `${done} of ${all} answered`,
  over: (sent: number, all: number) =>
    sent === all ? `All ${all} are answered` : `${sent} of ${all} are answered with this`,
  state: {
    waiting: "waits",
    sending: "is being sent",
    approved: "approved",
    rejected: "rejected",
    before: (name: string, approved: boolean) => `${name} ${approved ? "approved" : "rejected"} it before`,
    closed: "was no longer open",
    expired: "has expired",
  },
};
