import type { KnownServer } from './known-server.ts';

export const context7: KnownServer = {
  package: '@upstash/context7-mcp',
  version: '4.1.1',
  tools: {
    'resolve-library-id': {
      does: 'reads',
      takes: ['query', 'libraryName'],
      definition: '3f23550f7268594b5dff96cf76e5948eebbc3a3522d35ea72b9b07c30557e383',
    },
    'query-docs': {
      does: 'reads',
      takes: ['libraryId', 'query'],
      definition: '85699e7dbec8e2690175cfaf373b22aa4557ed7a918d28c7f3a0f9c3bb4308d7',
    },
  },
};
