/**
 * One line of CSV (RFC 4180). Spreadsheets run what begins like a formula; an apostrophe makes it text. Where a comma is a
 * decimal sign, they end a cell at a semicolon, a tab or a line end, whatever the quotes say.
 */
export const csvLine = (cells: string[]): string => `${cells.map(quote).join(',')}\r\n`;

const formula = /^(?=[=+\-@\t\r\n＝＋－＠])|(?<=[;\t\r\n])(?=[=+\-@＝＋－＠])/g;

const quote = (text: string): string => {
  const safe = text.replaceAll(formula, "'");
  return /[",\r\n';\t]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};
