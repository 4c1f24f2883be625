/** The texts of the suggestions for a new workspace. */
export const words = {
  first: {
    ask: { title: "Ask a person", detail: "Approve an expense: a larger one waits for your answer." },
    form: { title: "Take in a form", detail: "A website sends what people fill in. It is checked, and passed on." },
    watch: { title: "Watch a website", detail: "Call a page at set times, and tell when it does not answer." },
  },
  /** After the word for a completed run. */
  finishedIn: (duration: string) => `in ${duration}`,
  deploy: "Deploy it",
  schedule: "Give it a schedule",
  invite: "Invite somebody",
  title: "What comes next",
  dismiss: (hint: string) => `Hide the hint: ${hint}`,
  done: "Done:",
  steps: {
    run: { title: "Finish a first run", detail: "Run a workflow and answer what it asks." },
    deploy: { title: "Deploy a workflow", detail: "Schedules, webhooks and programs run the deployed version." },
    start: { title: "Let it start by itself", detail: "At set times, or when another service calls." },
    invite: { title: "Invite somebody", detail: "A colleague can answer questions and build with you." },
  },
};
