/** Says a line on standard error. A runtime without a process has only its console. */
export function tellAuthor(line: string): void {
  const { stderr } = globalThis.process ?? {};
  if (stderr) stderr.write(`${line}\n`);
  else console.error(line);
}
