import path from 'node:path';
import type { ServersPath, ServersPlaces } from './rewrite.ts';

/** Machine on which configurations are looked for. */
interface Machine {
  home: string;
  platform: NodeJS.Platform;
  /** Folder of applications' data on Windows. */
  appData: string | undefined;
  /** Settings folder of Claude Code, if outside the home directory. */
  claudeFolder?: string | undefined;
  /** Settings folder of Codex, if outside the home directory. */
  codexHome?: string | undefined;
  /** The project. */
  cwd: string;
}

export interface ClientConfiguration {
  client: string;
  file: string;
  paths: ServersPlaces;
  /** Folder of the project that shares this file; undefined for a file of the person. */
  project?: string;
}

/** Clients with known configurations. */
export const clientNames = [
  'claude-desktop',
  'claude-code',
  'cursor',
  'vscode',
  'windsurf',
  'codex',
  'gemini-cli',
  'zed',
  'cline',
];

const usual: readonly ServersPath[] = [['mcpServers']];

const vsCode: readonly ServersPath[] = [['servers']];

/** Files in which the clients keep their servers: for the person, and for the project. */
export function configurationsOn({
  home,
  platform,
  appData,
  claudeFolder,
  codexHome,
  cwd,
}: Machine): ClientConfiguration[] {
  const applications = applicationFolder({ home, platform, appData });
  const claude: readonly ServersPath[] = [['mcpServers'], ['projects', '*', 'mcpServers']];
  const zed: readonly ServersPath[] = [['context_servers']];
  const zedFolder = platform === 'win32' ? path.join(applications, 'Zed') : path.join(home, '.config', 'zed');
  const cline = path.join(applications, 'Code', 'User', 'globalStorage', 'saoudrizwan.claude-dev', 'settings');
  return [
    { client: 'claude-desktop', file: path.join(applications, 'Claude', 'claude_desktop_config.json'), paths: usual },
    { client: 'claude-code', file: path.join(claudeFolder ?? home, '.claude.json'), paths: claude },
    { client: 'claude-code', file: path.join(cwd, '.mcp.json'), paths: usual, project: cwd },
    { client: 'cursor', file: path.join(home, '.cursor', 'mcp.json'), paths: usual },
    { client: 'cursor', file: path.join(cwd, '.cursor', 'mcp.json'), paths: usual, project: cwd },
    { client: 'vscode', file: path.join(applications, 'Code', 'User', 'mcp.json'), paths: vsCode },
    { client: 'vscode', file: path.join(cwd, '.vscode', 'mcp.json'), paths: vsCode, project: cwd },
    { client: 'windsurf', file: path.join(home, '.codeium', 'windsurf', 'mcp_config.json'), paths: usual },
    { client: 'codex', file: path.join(codexHome ?? path.join(home, '.codex'), 'config.toml'), paths: 'codex' },
    { client: 'codex', file: path.join(cwd, '.codex', 'config.toml'), paths: 'codex', project: cwd },
    { client: 'gemini-cli', file: path.join(home, '.gemini', 'settings.json'), paths: usual },
    { client: 'gemini-cli', file: path.join(cwd, '.gemini', 'settings.json'), paths: usual, project: cwd },
    { client: 'zed', file: path.join(zedFolder, 'settings.json'), paths: zed },
    { client: 'zed', file: path.join(cwd, '.zed', 'settings.json'), paths: zed, project: cwd },
    { client: 'cline', file: path.join(cline, 'cline_mcp_settings.json'), paths: usual },
  ];
}

function applicationFolder({ home, platform, appData }: Omit<Machine, 'cwd'>): string {
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support');
  if (platform === 'win32') return appData ?? path.join(home, 'AppData', 'Roaming');
  return path.join(home, '.config');
}
