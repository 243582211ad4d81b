import type { ServersPath } from '#gateway/import/rewrite';

interface Sample {
  client: string;
  paths: readonly ServersPath[];
  text: string;
}

/** Configurations as people have them: with comments, other members, other indents and servers that are no commands. */
export const samples: Sample[] = [
  {
    client: 'claude-desktop',
    paths: [['mcpServers']],
    text: `{
  "globalShortcut": "Ctrl+Space",
  "mcpServers": {
    "filesystem": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-filesystem", "/Users/ada/Desktop"]
    },
    "memory": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-memory"], "env": { "MEMORY_FILE_PATH": "/tmp/m.json" } }
  },
  "preferences": { "menuBarEnabled": false }
}
`,
  },
  {
    client: 'claude-code',
    paths: [['mcpServers'], ['projects', '*', 'mcpServers']],
    text: JSON.stringify(
      {
        numStartups: 12,
        mcpServers: { github: { type: 'http', url: 'https://example.com/mcp' } },
        projects: {
          '/work/a b': {
            allowedTools: [],
            mcpServers: { db: { type: 'stdio', command: 'uvx', args: ['pg'], env: {} } },
          },
          '/work/c': { history: [{ display: 'wrap -- it' }], mcpServers: {} },
        },
      },
      null,
      2,
    ),
  },
  {
    client: 'cursor',
    paths: [['mcpServers']],
    text: '{\n\t"mcpServers": {\n\t\t"notes": {\n\t\t\t"command": "python",\n\t\t\t"args": ["-m", "notes"],\n\t\t\t"envFile": ".env"\n\t\t},\n\t\t"bare one": { "command": "/usr/local/bin/bare" }\n\t}\n}\n',
  },
  {
    client: 'vscode',
    paths: [['servers']],
    text: `{
    // Asked for once, and kept by the editor.
    "inputs": [{ "id": "token", "type": "promptString", "password": true }],
    "servers": {
        "remote": { "type": "http", "url": "https://example.com/mcp" },
        /* our own */
        "files": {
            "type": "stdio",
            "command": "npx",
            "args": [
                "-y", // without a question
                "@modelcontextprotocol/server-filesystem",
                "\${workspaceFolder}",
            ],
            "env": { "TOKEN": "\${input:token}" }, // a comment at the end
        },
    },
}
`,
  },
  {
    client: 'windsurf',
    paths: [['mcpServers']],
    text: '\ufeff{\r\n  "mcpServers": {\r\n    "docker": {\r\n      "command": "docker",\r\n      "args": ["run", "-i", "--rm", "mcp/git"],\r\n      "disabled": false\r\n    }\r\n  }\r\n}\r\n',
  },
];
