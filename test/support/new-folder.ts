import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** A new folder, which is swept with the run. */
export const newFolder = (name = 'folder'): string =>
  mkdtempSync(path.join(process.env.TEST_DIRECTORY ?? os.tmpdir(), `${name}-`));
