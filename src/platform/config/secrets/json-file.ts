import { readFileSync } from 'node:fs';
import { refuseVariable } from '../config.ts';
import type { VariableName } from '../env.ts';

/** What is in the file that this variable names; problem `config-invalid` with the usage if it cannot be read as JSON. */
export function readJsonFile(variable: VariableName, file: string, usage: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw refuseVariable(variable, `${file}, which cannot be read as JSON`, usage);
  }
}
