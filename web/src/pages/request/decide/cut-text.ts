/** The beginning of a text, never cut inside a character. */
export const cutText = (text: string, most: number): string => Array.from(text).slice(0, most).join('');
