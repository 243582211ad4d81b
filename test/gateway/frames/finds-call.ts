/** Would the most lenient reader find a call in what it was sent? It cuts at every line end that any reader knows. */
export const findsCall = (sent: string): boolean =>
  sent.split(/[\p{Cc}\u2028\u2029]/u).some((line) => {
    const members = readLeniently(line.replace(/^\ufeff/, '')).flatMap((message) => Object.entries(message));
    return members.some(([name, value]) => fold(name) === 'method' && isCall(value));
  });

const fold = (text: string): string =>
  text
    .replace(/\0.*/su, '')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s\p{C}\p{Default_Ignorable_Code_Point}]/gu, '');

const isCall = (method: unknown): boolean =>
  typeof method === 'string' ? fold(method) === 'tools/call' : JSON.stringify(method).includes('tools/call');

function readLeniently(line: string): object[] {
  try {
    return [JSON.parse(line) as unknown].flat(3).filter((value) => typeof value === 'object' && value !== null);
  } catch {
    return [];
  }
}
