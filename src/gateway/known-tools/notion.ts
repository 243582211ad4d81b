import type { KnownServer } from './known-server.ts';

export const notion: KnownServer = {
  package: '@notionhq/notion-mcp-server',
  version: '2.5.2',
  tools: {
    'API-get-user': {
      does: 'reads',
      takes: ['user_id'],
      definition: '1c330581f4e18638d2ce5cbe545e4abce6d2c3c1e01443d034109e53d5f4004b',
    },
    'API-get-users': {
      does: 'reads',
      takes: ['start_cursor', 'page_size'],
      definition: '4945d8affae4f8fb4afda7e28c0b8305517931acfb6324744a915a51abeba97b',
    },
    'API-get-self': {
      does: 'reads',
      takes: [],
      definition: 'a2f71bd58fc796ec95a832401c3b0a1aff8404a16ae46f733f59b277a283b7f6',
    },
    'API-post-search': {
      does: 'reads',
      takes: ['query', 'sort', 'filter', 'start_cursor', 'page_size'],
      definition: '082ad61868586193f21f8916589d13718dfe758003fcd89e8ab9ac7717475bb4',
    },
    'API-get-block-children': {
      does: 'reads',
      takes: ['block_id', 'start_cursor', 'page_size'],
      definition: 'fca2b847271bdf28d3f684c29f91c3e24b000d0ac80202e72540ef85bedc55fe',
    },
    'API-patch-block-children': { does: 'writes', takes: ['block_id', 'children', 'after'] },
    'API-retrieve-a-block': {
      does: 'reads',
      takes: ['block_id'],
      definition: '7825810c98ca7acbc6ab60df61bcb731b4ddd0e1967aa33c88525758d0278cb9',
    },
    'API-update-a-block': { does: 'writes', takes: ['block_id', 'type', 'archived'] },
    'API-delete-a-block': { does: 'destroys', takes: ['block_id'] },
    'API-retrieve-a-page': {
      does: 'reads',
      takes: ['page_id', 'filter_properties'],
      definition: '6f89e54bca4e558798ecc6ca535268552effa274da7aeb179b115c52d62e9d30',
    },
    'API-patch-page': { does: 'writes', takes: ['page_id', 'properties', 'in_trash', 'archived', 'icon', 'cover'] },
    'API-post-page': { does: 'writes', takes: ['parent', 'properties', 'children', 'icon', 'cover'] },
    'API-retrieve-a-page-property': {
      does: 'reads',
      takes: ['page_id', 'property_id', 'page_size', 'start_cursor'],
      definition: '13a3b99812bc1784e5562f7fa7490f12485c423252026734a96eaf52dc56c436',
    },
    'API-retrieve-a-comment': {
      does: 'reads',
      takes: ['block_id', 'start_cursor', 'page_size'],
      definition: '40c1e868e66e6d77be9cbad66ec6830177cc21ea5baf6743bf39078be37387cd',
    },
    'API-create-a-comment': { does: 'writes', takes: ['parent', 'rich_text'] },
    'API-query-data-source': {
      does: 'reads',
      takes: [
        'data_source_id',
        'filter_properties',
        'filter',
        'sorts',
        'start_cursor',
        'page_size',
        'archived',
        'in_trash',
      ],
      definition: 'c08fb443782da77dc4c94de1bca6fc920602767faf2128f546b3558683c8a7d1',
    },
    'API-retrieve-a-data-source': {
      does: 'reads',
      takes: ['data_source_id'],
      definition: 'fa610c573a306cded20919f73754131688f3a2a2684c0093a22fea6873623d2a',
    },
    'API-update-a-data-source': { does: 'writes', takes: ['data_source_id', 'title', 'description', 'properties'] },
    'API-create-a-data-source': { does: 'writes', takes: ['parent', 'properties', 'title'] },
    'API-list-data-source-templates': {
      does: 'reads',
      takes: ['data_source_id', 'start_cursor', 'page_size'],
      definition: '0aca1f223e28957e88f93fdae6226aa0373baaccf0eacaf48cc88db95840faac',
    },
    'API-retrieve-a-database': {
      does: 'reads',
      takes: ['database_id'],
      definition: 'd3d760ce983e07fa3898022ea8c1221b4f977681bca050470ba2326840611aa4',
    },
    'API-move-page': { does: 'writes', takes: ['page_id', 'parent'] },
    'API-retrieve-page-markdown': {
      does: 'reads',
      takes: ['page_id', 'include_transcript'],
      definition: '880e67dd53c2a4fdd1ed3d4191e5aa83472aa0665f9f50ff4d23266baffe8874',
    },
    'API-update-page-markdown': {
      does: 'writes',
      takes: ['page_id', 'type', 'replace_content', 'update_content', 'insert_content', 'replace_content_range'],
    },
  },
};
