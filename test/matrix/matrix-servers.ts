import { knownServers } from '#gateway/known-tools/known-tools';

export type Call = [tool: string, args: Record<string, unknown>];

/** A server of others, and one call that a policy lets pass and one that waits; most answer here with their own error. */
export interface MatrixServer {
  name: string;
  package: `${string}@${string}`;
  words?: (work: string) => string[];
  calls?: (work: string) => { passes: Call; waits: Call };
}

const fromTable = (name: string, rest: Omit<MatrixServer, 'name' | 'package'>): MatrixServer => {
  const { package: its, version } = knownServers[name] ?? { package: '', version: '' };
  return { name, package: `${its}@${version}`, ...rest };
};
const calls = (passes: Call, waits: Call) => ({ calls: () => ({ passes, waits }) });
const thought = { thought: 'a', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 };

export const matrixServers: MatrixServer[] = [
  fromTable('everything', calls(['echo', { message: 'a' }], ['get-sum', { a: 1.5, b: -2 }])),
  fromTable('filesystem', {
    words: (work) => [work],
    calls: (work) => ({
      passes: ['list_directory', { path: work }],
      waits: ['write_file', { path: `${work}/note`, content: 'Zoë \u2028 🙂' }],
    }),
  }),
  fromTable(
    'memory',
    calls(['read_graph', {}], ['create_entities', { entities: [{ name: 'a', entityType: 'b', observations: [] }] }]),
  ),
  fromTable(
    'sequential-thinking',
    calls(['sequentialthinking', thought], ['sequentialthinking', { ...thought, thought: 'b' }]),
  ),
  fromTable(
    'playwright',
    calls(['browser_tabs', { action: 'list' }], ['browser_navigate', { url: 'http://localhost:9/' }]),
  ),
  fromTable('chrome-devtools', calls(['list_pages', {}], ['new_page', { url: 'http://localhost:9/' }])),
  fromTable(
    'context7',
    calls(['resolve-library-id', { query: 'a', libraryName: 'b' }], ['query-docs', { libraryId: '/a/b', query: 'c' }]),
  ),
  fromTable('notion', calls(['API-get-self', {}], ['API-post-search', { query: 'a' }])),
  fromTable('sentry', {
    words: () => ['--access-token=x'],
    ...calls(['whoami', {}], ['find_organizations', { query: 'a' }]),
  }),
  fromTable('tavily', calls(['tavily_search', { query: 'a' }], ['tavily_extract', { urls: ['http://localhost:9/'] }])),
  fromTable('exa', calls(['web_search_exa', { query: 'a' }], ['web_fetch_exa', { urls: ['http://localhost:9/'] }])),
  fromTable('figma', {
    words: () => ['--stdio', '--figma-api-key=x'],
    ...calls(
      ['get_figma_data', { fileKey: 'a' }],
      ['download_figma_images', { fileKey: 'a', nodes: [], localPath: 'a' }],
    ),
  }),
  fromTable('desktop-commander', {
    calls: (work) => ({
      passes: ['list_directory', { path: work }],
      waits: ['write_file', { path: `${work}/note`, content: 'a' }],
    }),
  }),
  fromTable(
    'kubernetes',
    calls(['kubectl_get', { resourceType: 'pods' }], ['kubectl_delete', { resourceType: 'pod', name: 'a' }]),
  ),
  fromTable(
    'github',
    calls(['search_repositories', { query: 'a' }], ['create_issue', { owner: 'a', repo: 'b', title: 'c' }]),
  ),
  {
    name: 'playwright-of-others',
    package: '@executeautomation/playwright-mcp-server@1.0.12',
    ...calls(['playwright_get_visible_text', {}], ['playwright_close', {}]),
  },
  {
    name: 'shopify',
    package: '@shopify/dev-mcp@1.16.0',
    ...calls(['learn_shopify_api', { api: 'admin' }], ['search_docs_chunks', { conversationId: 'a', prompt: 'b' }]),
  },
  {
    name: 'pdf',
    package: '@modelcontextprotocol/server-pdf@2.0.4',
    words: () => ['--stdio'],
    ...calls(['list_pdfs', {}], ['display_pdf', { url: 'http://localhost:9/a.pdf' }]),
  },
  {
    name: 'hubspot',
    package: '@hubspot/mcp-server@0.4.0',
    ...calls(['hubspot-get-user-details', {}], ['hubspot-get-schemas', {}]),
  },
  { name: 'firebase', package: 'firebase-tools@15.34.2', words: () => ['mcp'] },
];

/** What they need to start; none of it is a real credential. */
export const credentials = {
  TAVILY_API_KEY: 'x',
  EXA_API_KEY: 'x',
  NOTION_TOKEN: 'ntn_x',
  GITHUB_PERSONAL_ACCESS_TOKEN: 'x',
  PRIVATE_APP_ACCESS_TOKEN: 'pat-x',
};
