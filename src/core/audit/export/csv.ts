/** One line of CSV (RFC 4180). Spreadsheets run what begins like a formula; an apostrophe makes it text. */
export const csvLine = (cells: string[]): string => `${cells.map(quote).join(',')}\r\n`;

const quote = (text: string): string => {
  const safe = /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};
