const plurals = new Intl.PluralRules("en");
const some = (n: number, one: string, other: string) => `${n} ${plurals.select(n) === "one" ? one : other}`;

/** The texts of forms, questions, approvals and notifications. */
export const answers = {
  forms: {
    answer: "Answer",
    optional: "optional",
    choose: "Choose",
    none: "None",
    yes: "Yes",
    json: "JSON",
    add: "Add",
    addTo: (list: string) => `Add to ${list}`,
    item: (n: number) => `Item ${n}`,
    remove: (item: string) => `Remove ${item}`,
    ofLength: (length: number, max: number) => `${length} of ${max}`,
    fault: {
      needed: "This is needed.",
      number: "Enter a number.",
      integer: "Enter a whole number.",
      text: "Enter a text.",
      email: "Enter an e-mail address.",
      url: "Enter a whole address, such as https://example.com.",
      date: "Enter a date.",
      format: (name: string) => `This is not in the format ${name}.`,
      minLength: (n: number) => `Enter at least ${some(n, "character", "characters")}.`,
      maxLength: (n: number) => `At most ${some(n, "character", "characters")} are possible.`,
      minimum: (n: number) => `The least is ${n}.`,
      maximum: (n: number) => `The most is ${n}.`,
      above: (n: number) => `It must be more than ${n}.`,
      below: (n: number) => `It must be less than ${n}.`,
      multipleOf: (n: number) => `It must be a multiple of ${n}.`,
      minItems: (n: number) => `At least ${some(n, "item is", "items are")} needed.`,
      maxItems: (n: number) => `At most ${some(n, "item is", "items are")} possible.`,
      choice: "Choose one of the options.",
      unique: "The same item is there twice.",
      pattern: "This does not have the expected form.",
      unreadable: "This is not valid JSON.",
    },
  },
};
