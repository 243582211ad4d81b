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
    },
  },
};
