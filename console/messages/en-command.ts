/** The texts of the page that signs in the command line. */
export const command = {
  title: "Sign in on the command line",
  lead: (email: string) => `A weft command asks to sign in as ${email}.`,
  warning: "Go on only if you started the command yourself. Another person who gets the code can act as you.",
  show: "Show the code",
  codeTitle: "Your code",
  codeLead: "Copy the code into the terminal. It works once, within five minutes.",
  code: "Code for the command",
  gone: "This address is incomplete",
  goneDetail: "Run weft login --browser again, and open the whole address that it prints.",
  toApp: "Open Weft",
};
