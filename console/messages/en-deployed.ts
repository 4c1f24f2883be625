const many = (n: number) => (n === 1 ? "one place" : `${n} places`);

/** The texts about a deployed version that the current rules would refuse. */
export const words = {
  warning: "Warning",
  text: (version: number, n: number) =>
    `Version ${version} is live and still runs, but would be refused today: see ${many(n)}. A new version has to correct this.`,
  show: "Show",
  hide: "Hide",
  whole: "The workflow",
};
