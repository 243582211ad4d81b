import type { KnownServer } from './known-server.ts';

export const everything: KnownServer = {
  package: '@modelcontextprotocol/server-everything',
  version: '2026.8.31',
  tools: {
    echo: { does: 'reads', takes: ['message'] },
    'get-annotated-message': { does: 'reads', takes: ['messageType', 'includeImage'] },
    'get-env': { does: 'reads', takes: [] },
    'get-resource-links': { does: 'reads', takes: ['count'] },
    'get-resource-reference': { does: 'reads', takes: ['resourceType', 'resourceId'] },
    'get-structured-content': { does: 'reads', takes: ['location'] },
    'get-sum': { does: 'reads', takes: ['a', 'b'] },
    'get-tiny-image': { does: 'reads', takes: [] },
    'gzip-file-as-resource': { does: 'writes', takes: ['name', 'data', 'outputType'] },
    'toggle-simulated-logging': { does: 'writes', takes: [] },
    'toggle-subscriber-updates': { does: 'writes', takes: [] },
    'trigger-long-running-operation': { does: 'reads', takes: ['duration', 'steps'] },
    'simulate-research-query': { does: 'writes', takes: ['topic', 'ambiguous'] },
  },
};
