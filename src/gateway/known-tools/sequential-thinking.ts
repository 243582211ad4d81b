import type { KnownServer } from './known-server.ts';

export const sequentialThinking: KnownServer = {
  package: '@modelcontextprotocol/server-sequential-thinking',
  version: '2026.8.31',
  tools: {
    sequentialthinking: {
      does: 'reads',
      takes: [
        'thought',
        'nextThoughtNeeded',
        'thoughtNumber',
        'totalThoughts',
        'isRevision',
        'revisesThought',
        'branchFromThought',
        'branchId',
        'needsMoreThoughts',
      ],
      definition: 'fd87fcb1cc482329256bfdc2ac45f233547ae300d7452f6cba9eb6cbba2640f1',
    },
  },
};
