import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { checkClaude, checkCodex, codexLimit, type SettingsFile } from './check-hooks.ts';
import type { Harness } from './hook-event.ts';
import { managedFileOn } from './install-hooks.ts';
import { skillFilesIn } from './read-project.ts';

export interface CheckedAgent {
  harness: Harness;
  /** What lets calls run past the hook. */
  findings: string[];
  /** What no setting changes. */
  limits: string[];
}

export interface CheckedPlace {
  home: string;
  cwd: string;
  platform: NodeJS.Platform;
  codexHome: string | undefined;
  managed?: string;
}

/** What the settings of the agents on this machine say for this project. */
export function checkHere({
  home,
  cwd,
  platform,
  codexHome,
  managed = managedFileOn(platform),
}: CheckedPlace): CheckedAgent[] {
  const inClaude = (folder: string, name: string): SettingsFile => read(path.join(folder, '.claude', name));
  const codex = codexHome ?? path.join(home, '.codex');
  const agents: CheckedAgent[] = [];
  if (existsSync(path.join(home, '.claude')) || existsSync(managed)) {
    const skills = skillFilesIn([cwd, home]).map((file) => ({ file, text: read(file).text ?? '' }));
    const project = ['settings.json', 'settings.local.json'].map((name) => inClaude(cwd, name));
    const files = { managed: read(managed), user: inClaude(home, 'settings.json'), project, skills };
    agents.push({ harness: 'claude-code', findings: checkClaude(files), limits: [] });
  }
  if (existsSync(codex)) {
    const files = { hooks: read(path.join(codex, 'hooks.json')), config: read(path.join(codex, 'config.toml')) };
    agents.push({ harness: 'codex', findings: checkCodex(files), limits: [codexLimit] });
  }
  return agents;
}

function read(file: string): SettingsFile {
  try {
    return { file, text: readFileSync(file, 'utf8') };
  } catch {
    return { file, text: null };
  }
}
