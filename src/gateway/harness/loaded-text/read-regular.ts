import { readFileSync, statSync } from 'node:fs';

/** One file of an agent, as it is; null if it is not there. */
export interface SettingsFile {
  file: string;
  text: string | null;
}

export const readSettingsFile = (file: string): SettingsFile => ({ file, text: readRegular(file) });

/** Larger than what people keep in such files. */
const largest = 16 * 1024 * 1024;

/** The text of a file; null if it cannot be read. A pipe or a device, to which a project's link may lead, would keep the hook waiting. */
export function readRegular(file: string): string | null {
  try {
    const facts = statSync(file);
    return facts.isFile() && facts.size <= largest ? readFileSync(file, 'utf8') : null;
  } catch {
    return null;
  }
}
