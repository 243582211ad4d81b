import type { KnownServer } from './known-server.ts';

export const exa: KnownServer = {
  package: 'exa-mcp-server',
  version: '3.4.1',
  tools: {
    web_search_exa: {
      does: 'reads',
      takes: ['query', 'numResults'],
      definition: '2d948f8a5859dc891252be62032d4933e47d197a11b740c60b89321aa271c7a8',
    },
    web_fetch_exa: { does: 'sends', takes: ['urls', 'maxCharacters'], objects: { urls: 'url' } },
  },
};
