/** The filter for texts with this prefix. It can use an index. */
export const beginsWith = (text: string) => ({ $gte: text, $lt: `${text}\u{10ffff}` });
