/** A result of one text. */
export const say = (text: string) => ({ content: [{ type: 'text' as const, text }] });
