import path from 'node:path';
import type { ServersPath, ServersPlaces } from './rewrite.ts';

/** Machine on which configurations are looked for. */
interface Machine {
  home: string;
  platform: NodeJS.Platform;
  /** Folder of applications' data on Windows. */
  appData: string | undefined;
  /** Folder of applications' data on Windows that stays on the machine. */
  localAppData?: string | undefined;
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

/** The folder in which a path begins; null where the platform has none. */
type Base = (machine: Machine) => string | null;

const home: Base = (machine) => machine.home;
const project: Base = ({ cwd }) => cwd;
const roaming = ({ home: own, appData }: Machine): string => appData ?? path.join(own, 'AppData', 'Roaming');
/** Where applications of the platform keep their settings. */
const applications: Base = (machine) => {
  if (machine.platform === 'darwin') return path.join(machine.home, 'Library', 'Application Support');
  return machine.platform === 'win32' ? roaming(machine) : path.join(machine.home, '.config');
};
/** Where programs do that keep to `.config` on macOS as well. */
const settings: Base = (machine) =>
  machine.platform === 'win32' ? roaming(machine) : path.join(machine.home, '.config');
/** Where Windows keeps the settings of a packaged application. */
const packaged: Base = ({ platform, home: own, localAppData }) =>
  platform === 'win32' ? path.join(localAppData ?? path.join(own, 'AppData', 'Local'), 'Packages') : null;
const claudeFolder: Base = (machine) => machine.claudeFolder ?? machine.home;
const codexFolder: Base = ({ codexHome, home: own }) => codexHome ?? path.join(own, '.codex');

/** A client, where its servers stand in a file, and its files: folder and path. */
interface Client {
  name: string;
  servers: ServersPlaces;
  files: readonly (readonly [Base, string])[];
}

const usual: readonly ServersPath[] = [['mcpServers']];
const vsCode: readonly ServersPath[] = [['servers']];
const msix = 'Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude/claude_desktop_config.json';
const cline = 'Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json';

/** Every client whose configurations are known. A file of a project begins with the folder of the project. */
const clients: readonly Client[] = [
  {
    name: 'claude-desktop',
    servers: usual,
    files: [
      [applications, 'Claude/claude_desktop_config.json'],
      [packaged, msix],
    ],
  },
  {
    name: 'claude-code',
    servers: [['mcpServers'], ['projects', '*', 'mcpServers']],
    files: [
      [claudeFolder, '.claude.json'],
      [project, '.mcp.json'],
    ],
  },
  { name: 'cursor', servers: usual, files: both('.cursor/mcp.json') },
  {
    name: 'vscode',
    servers: vsCode,
    files: [
      [applications, 'Code/User/mcp.json'],
      [project, '.vscode/mcp.json'],
    ],
  },
  { name: 'vscode-insiders', servers: vsCode, files: [[applications, 'Code - Insiders/User/mcp.json']] },
  {
    name: 'windsurf',
    servers: usual,
    files: [
      [home, '.codeium/windsurf/mcp_config.json'],
      [home, '.codeium/mcp_config.json'],
    ],
  },
  {
    name: 'codex',
    servers: 'codex',
    files: [
      [codexFolder, 'config.toml'],
      [project, '.codex/config.toml'],
    ],
  },
  { name: 'gemini-cli', servers: usual, files: both('.gemini/settings.json') },
  {
    name: 'zed',
    servers: [['context_servers']],
    files: [
      [settings, 'zed/settings.json'],
      [project, '.zed/settings.json'],
    ],
  },
  { name: 'cline', servers: usual, files: [[applications, cline]] },
  {
    name: 'copilot-cli',
    servers: usual,
    files: [
      [home, '.copilot/mcp-config.json'],
      [project, '.github/mcp.json'],
    ],
  },
  {
    name: 'opencode',
    servers: 'opencode',
    files: ['opencode.json', 'opencode.jsonc'].flatMap((file) => [
      [home, `.config/opencode/${file}`] as const,
      [project, file] as const,
      [project, `.opencode/${file}`] as const,
    ]),
  },
  { name: 'kiro', servers: usual, files: both('.kiro/settings/mcp.json') },
  { name: 'lm-studio', servers: usual, files: [[home, '.lmstudio/mcp.json']] },
  {
    name: 'goose',
    servers: 'goose',
    files: [
      [
        (machine) =>
          machine.platform === 'win32'
            ? path.join(roaming(machine), 'Block', 'goose', 'config')
            : path.join(machine.home, '.config', 'goose'),
        'config.yaml',
      ],
    ],
  },
  { name: 'junie', servers: usual, files: both('.junie/mcp/mcp.json') },
  {
    name: 'amazon-q',
    servers: usual,
    files: [
      [home, '.aws/amazonq/mcp.json'],
      [home, '.aws/amazonq/agents/default.json'],
      [project, '.amazonq/mcp.json'],
    ],
  },
  {
    name: 'amp',
    servers: [['amp.mcpServers']],
    files: [
      [settings, 'amp/settings.json'],
      [project, '.amp/settings.json'],
    ],
  },
];

/** The same path for the person and for the project. */
function both(file: string): Client['files'] {
  return [
    [home, file],
    [project, file],
  ];
}

/** Names of the clients. */
export const clientNames = clients.map(({ name }) => name);

/** Places of servers that no file in the table holds. */
export const unread: readonly string[] = [
  'other projects than this folder',
  'extensions of Claude Desktop, connectors of claude.ai, and servers that plugins bring',
  'profiles, workspaces, extensions and remote hosts of VS Code and its relatives',
  'what JetBrains AI Assistant keeps in the settings of the IDE',
  'agents of Amazon Q and Kiro with servers of their own, and the built-in server of Copilot CLI',
  'settings that an administrator of this machine has fixed',
];

/** Files in which the clients keep their servers: for the person, and for the project. */
export const configurationsOn = (machine: Machine): ClientConfiguration[] =>
  clients.flatMap(({ name, servers, files }) =>
    files.flatMap(([base, file]) => {
      const folder = base(machine);
      const own = base === project ? { project: machine.cwd } : {};
      return folder === null ? [] : { client: name, file: path.join(folder, file), paths: servers, ...own };
    }),
  );
