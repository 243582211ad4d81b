import type { KnownServer } from './known-server.ts';

export const figma: KnownServer = {
  package: 'figma-developer-mcp',
  version: '0.13.2',
  tools: {
    get_figma_data: {
      does: 'reads',
      takes: ['fileKey', 'nodeId', 'depth'],
      definition: 'c3e086534be6e2e923664183fa47d3390b75409fde811809d661e8119311c517',
    },
    download_figma_images: {
      does: 'writes',
      takes: ['fileKey', 'nodes', 'pngScale', 'localPath'],
      objects: { fileKey: 'account', localPath: 'path' },
    },
  },
};
