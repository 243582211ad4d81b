import type { FrameId } from './frame.ts';

interface JsonScan {
  /** No fewer than it has. */
  members: number;
  /** The id at its top, as far as one can tell. */
  id: FrameId | null;
}

/** Looks a text of JSON over without parsing it: millions of members would take the process seconds and gigabytes. */
export function scanJson(text: string): JsonScan {
  const scan: JsonScan = { members: 0, id: null };
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') {
      if (depth === 1) scan.id ??= idAt(text, at);
      at = endOfString(text, at);
    } else if (char === '{' || char === '[') {
      depth += 1;
      scan.members += 1;
    } else if (char === '}' || char === ']') depth -= 1;
    else if (char === ',') scan.members += 1;
  }
  return scan;
}

/** The scan of a text that has more members than that; null if it has not. */
export function scanIfTooMany(text: string, members: number): JsonScan | null {
  const scan = text.length > members ? scanJson(text) : null;
  return scan && scan.members > members ? scan : null;
}

const idMember = /"id"\s*:\s*(?:"([^"\\]{0,200})"|(-?\d{1,15})(?![\d.eE]))/y;

function idAt(text: string, at: number): FrameId | null {
  idMember.lastIndex = at;
  const [, name, digits] = idMember.exec(text) ?? [];
  return name ?? (digits === undefined ? null : Number(digits));
}

function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote < 0 ? text.length : quote;
}

function isEscaped(text: string, quote: number): boolean {
  let before = quote - 1;
  while (text[before] === '\\') before -= 1;
  return (quote - before) % 2 === 0;
}
