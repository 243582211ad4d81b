import type { KnownServer } from './known-server.ts';

export const context7: KnownServer = {
  package: '@upstash/context7-mcp',
  version: '4.1.1',
  tools: {
    'resolve-library-id': { does: 'reads', takes: ['query', 'libraryName'] },
    'query-docs': { does: 'reads', takes: ['libraryId', 'query'] },
  },
};
