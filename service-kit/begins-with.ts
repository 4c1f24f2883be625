/** The filter for texts that begin like this. An index finds them. */
export const beginsWith = (text: string) => ({ $gte: text, $lt: `${text}\u{10ffff}` });
