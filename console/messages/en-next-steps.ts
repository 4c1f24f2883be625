/** The texts of the suggestions for a new workspace. */
export const words = {
  first: {
    ask: { title: "Ask a person", detail: "Approve an expense: a larger one waits for your answer." },
    form: { title: "Receive a form", detail: "A website sends what people fill in. It is checked, and passed on." },
    watch: { title: "Watch a website", detail: "Call a page at fixed times, and report when it does not answer." },
  },
  /** After the word for a completed run. */
  finishedIn: (duration: string) => `in ${duration}`,
  deploy: "Deploy it",
  schedule: "Add a schedule",
  invite: "Invite a colleague",
  title: "Next steps",
  dismiss: (hint: string) => `Hide the hint: ${hint}`,
  done: "Done:",
  steps: {
    run: { title: "Complete a first run", detail: "Run a workflow and answer what it asks." },
    deploy: { title: "Deploy a workflow", detail: "Schedules, webhooks and programs run the deployed version." },
    start: { title: "Start it automatically", detail: "At fixed times, or when another service calls." },
    invite: { title: "Invite a colleague", detail: "Colleagues can answer questions and build with you." },
  },
};
