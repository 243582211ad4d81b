import type { KnownServer } from './known-server.ts';

export const memory: KnownServer = {
  package: '@modelcontextprotocol/server-memory',
  version: '2026.8.31',
  tools: {
    create_entities: { does: 'writes', takes: ['entities'] },
    create_relations: { does: 'writes', takes: ['relations'] },
    add_observations: { does: 'writes', takes: ['observations'] },
    delete_entities: { does: 'destroys', takes: ['entityNames'] },
    delete_observations: { does: 'destroys', takes: ['deletions'] },
    delete_relations: { does: 'destroys', takes: ['relations'] },
    read_graph: {
      does: 'reads',
      takes: [],
      definition: '2809a76ad6329f9f131070f1f1a54db4708269eaa50ddd29a4a63fa6c5ea5b2b',
    },
    search_nodes: {
      does: 'reads',
      takes: ['query'],
      definition: '8510b2a22306b3f3f58cc85d5580bc0c5edfe080c2bdfc324ec21535afcef767',
    },
    open_nodes: {
      does: 'reads',
      takes: ['names'],
      definition: '530fabffdfa3376dfe70816a043c014aa2b21ce1b41290fcf6d092b48fee3818',
    },
  },
};
