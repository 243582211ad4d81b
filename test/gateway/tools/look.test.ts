import { describe, expect, test } from '@jest/globals';
import { digestTool, type ToolDefinition } from '#gateway/tools/definition';
import { groupTool, lookedAt, lookForm } from '#gateway/tools/look';
import { recordedTool } from './recorded.ts';

type Row = [server: string, tool: string, hints: string, args: string, group: string, because: string, word?: string];

/** Tools of servers that Assentry does not know, as their packages describe them: R reads, D destroys, W writes by hint. */
const rows: Row[] = [
  ['mongodb', 'list-collections', 'R', 'database', 'reads', 'hint', 'list'],
  ['mongodb', 'find', 'R', 'database collection filter limit', 'unsure', 'argument', 'filter'],
  ['mongodb', 'aggregate', 'R', 'database collection pipeline', 'unsure', 'argument', 'pipeline'],
  ['mongodb', 'connect', 'R', 'connectionString', 'unsure', 'argument', 'connectionString'],
  ['mongodb', 'export', 'R', 'database collection', 'sends', 'name', 'export'],
  ['mongodb', 'drop-database', 'D', 'database', 'writes', 'hint'],
  ['firecrawl', 'firecrawl_parse', 'R', 'filePath', 'unsure', 'argument', 'filePath'],
  ['firecrawl', 'firecrawl_map', 'R', 'url', 'unsure', 'argument', 'url'],
  ['firecrawl', 'firecrawl_extract', 'R', 'urls prompt', 'unsure', 'argument', 'urls'],
  ['gitlab', 'download_attachment', 'R', 'project_id secret filename local_path', 'unsure', 'argument', 'filename'],
  ['gitlab', 'list_issues', 'R', 'project_id state', 'reads', 'hint', 'list'],
  ['gitlab', 'create_issue', '', 'project_id title', 'writes', 'name', 'create'],
  ['slack', 'slack_list_channels', '', 'limit cursor', 'reads', 'name', 'list'],
  ['slack', 'slack_post_message', '', 'channel_id text', 'sends', 'name', 'post'],
  ['slack', 'slack_add_reaction', '', 'channel_id timestamp reaction', 'writes', 'name', 'add'],
  ['antv', 'generate_bar_chart', 'R', 'data title', 'unsure', 'claim'],
  ['postgres', 'query', '', 'sql', 'unsure', 'argument', 'sql'],
  ['dbhub', 'execute_sql', 'R', 'sql', 'writes', 'name', 'execute'],
  ['circleci', 'get_latest_pipeline_status', '', 'branch projectSlug', 'reads', 'name', 'get'],
  ['circleci', 'run_pipeline', '', 'projectSlug branch', 'unsure', 'nothing'],
  ['git', 'git_log', '', 'maxCount', 'unsure', 'nothing'],
  ['git', 'git_status', '', 'verbose', 'reads', 'name', 'status'],
  ['git', 'git_push', '', 'remote branch', 'sends', 'name', 'push'],
  ['eslint', 'lint-files', '', 'filePaths', 'unsure', 'argument', 'filePaths'],
  ['code-runner', 'run-code', '', 'code languageId', 'unsure', 'argument', 'code'],
  ['commands', 'run_command', '', 'command', 'unsure', 'argument', 'command'],
  ['drawio', 'open_drawio_xml', '', 'content', 'reads', 'name', 'open'],
  ['launchdarkly', 'list-feature-flags', '', 'projectKey', 'reads', 'name', 'list'],
  ['launchdarkly', 'delete-feature-flag', '', 'projectKey', 'writes', 'name', 'delete'],
  ['azure', 'extension_cli_install', 'R', 'cli-type', 'writes', 'name', 'install'],
  ['maps', 'maps_geocode', '', 'text', 'unsure', 'nothing'],
  ['datadog', 'get_logs', '', 'from to', 'reads', 'name', 'get'],
  ['browsermcp', 'browser_click', '', 'element ref', 'writes', 'name', 'click'],
  ['shortcut', 'stories-update', 'W', 'storyPublicId name', 'writes', 'name', 'update'],
  ['perplexity', 'perplexity_ask', 'R', 'messages', 'unsure', 'claim'],
  ['nextjs', 'nextjs_index', 'R', 'port', 'unsure', 'claim'],
];

const hintsOf: Record<string, object> = {
  R: { readOnlyHint: true },
  D: { destructiveHint: true },
  W: { readOnlyHint: false },
  '': {},
};

const toolOf = (name: string, hints: string, args: string, more: object = {}): ToolDefinition => ({
  name,
  inputSchema: { type: 'object', properties: Object.fromEntries(args.split(' ').map((arg) => [arg, {}])) },
  annotations: hintsOf[hints],
  ...more,
});

test.each(rows)(
  '%s %s (%j, %s) is in the group %s by its %s',
  async (_server, name, hints, args, group, because, word = '') => {
    const tool = toolOf(name, hints, args);
    expect(groupTool(tool, await digestTool(tool))).toEqual({ group, because, word });
  },
);

describe('the form', () => {
  const looked = rows.map(([, name, hints, args]) => lookedAt(toolOf(name, hints, args), 'x'));

  test('believes beforehand only what clearly reads, and nothing that takes a free-form argument', () => {
    const { believe, block } = lookForm(looked).properties;
    expect(believe?.default).toEqual(rows.flatMap(([, name, , , group]) => (group === 'reads' ? name : [])));
    expect(block.default).toEqual([]);
  });

  test('does not offer to believe that what says it destroys reads', () => {
    const { believe, block } = lookForm(looked).properties;
    expect(believe?.items.enum).not.toContain('drop-database');
    expect(block.items.enum).toContain('drop-database');
    expect(lookForm([lookedAt(toolOf('drop', 'D', 'id'), 'x')]).properties).not.toHaveProperty('believe');
  });
});

test.each([
  ['a list', { items: { type: 'array', items: { properties: { url: {} } } } }],
  ['a choice', { one: { anyOf: [{ type: 'string' }, { properties: { sql: {} } }] } }],
  ['other members', { more: { additionalProperties: { properties: { path: {} } } } }],
])('a free-form argument in %s is found', (_where, properties) => {
  const tool = { name: 'list_things', inputSchema: { type: 'object', properties } };
  expect(groupTool(tool, 'x')).toMatchObject({ group: 'unsure', because: 'argument' });
});

test('a description that says otherwise is doubted', () => {
  const tool = toolOf('get_things', 'R', 'id', { description: 'Deletes what is old, and returns the rest.' });
  expect(groupTool(tool, 'x')).toEqual({ group: 'unsure', because: 'description', word: 'deletes' });
});

test('what the table knows is told by the table, and reads in the recorded definition alone', async () => {
  const search = recordedTool('github', 'search_code');
  expect(groupTool(search, await digestTool(search))).toMatchObject({ group: 'reads', because: 'table' });
  expect(groupTool(search, 'x')).not.toMatchObject({ because: 'table' });
  expect(groupTool(recordedTool('github', 'merge_pull_request'), 'x')).toMatchObject({
    group: 'writes',
    because: 'table',
  });
});
