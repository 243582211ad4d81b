import type { KnownServer } from './known-server.ts';

export const exa: KnownServer = {
  package: 'exa-mcp-server',
  version: '3.4.1',
  tools: {
    web_search_exa: { does: 'reads', takes: ['query', 'numResults'] },
    web_fetch_exa: { does: 'sends', takes: ['urls', 'maxCharacters'], objects: { urls: 'url' } },
  },
};
