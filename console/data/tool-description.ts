/** The description of a tool without its title, because descriptions of operations begin with it. */
export const descriptionOf = ({ title, description }: { title?: string | null; description: string }): string =>
  title && description.startsWith(title) ? description.slice(title.length).trim() : description;
