const [start, end] = ['=?base64?', '?='];

/** The one header of MCP that says this: what a header cannot hold is wrapped. */
export function headerText(text: string): string {
  const isWrapped = text.startsWith(start) && text.endsWith(end);
  const isPlain = /^[!-~](?:[\t -~]*[!-~])?$/.test(text) && !isWrapped;
  return isPlain ? text : start + Buffer.from(text).toString('base64') + end;
}
