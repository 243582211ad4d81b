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
    read_graph: { does: 'reads', takes: [] },
    search_nodes: { does: 'reads', takes: ['query'] },
    open_nodes: { does: 'reads', takes: ['names'] },
  },
};
