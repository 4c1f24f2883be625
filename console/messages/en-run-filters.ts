/** The texts of the dialog with all filters of runs. */
export const words = {
  title: "Filter runs",
  any: "Any",
  labelHint: "Such as customer=ada.",
  labelFault: "Write it as name=value.",
  daysHint: "A whole day, UTC.",
  daysFault: "The last day is before the first.",
  errorHint: "Its code, such as step_timeout.",
  longerHint: "In seconds.",
  longerFault: "Write a number of seconds.",
  parentHint: "The id of the run whose step started it.",
  parentFault: "This is not the id of a run.",
  apply: "Apply",
};
