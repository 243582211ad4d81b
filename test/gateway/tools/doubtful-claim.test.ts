import { describe, expect, test } from '@jest/globals';
import { doubtfulClaim } from '#gateway/tools/definition';
import { recordedTools } from './recorded.ts';

const claiming = (name: string, description?: string) => ({
  name,
  ...(description !== undefined && { description }),
  annotations: { readOnlyHint: true },
});

describe('a claim to read only is doubted', () => {
  test.each([
    ['drop_database', undefined, 'drop'],
    ['sendMail', undefined, 'send'],
    ['get_and_delete', undefined, 'delete'],
    ['API-post-message', undefined, 'post'],
    ['exec', undefined, 'exec'],
    ['refund_order', undefined, 'refund'],
    ['disableUser', undefined, 'disable'],
    ['list_files', 'Deletes all files of a folder.', 'deletes'],
    ['report', 'Reads the table and erases it', 'erases'],
    ['lookup', 'Looks a customer up. Sends their record to the archive.', 'sends'],
    ['note', 'Write a note.', 'write'],
  ])('of %s (%s)', (name, description, verb) => {
    expect(doubtfulClaim(claiming(name, description))).toBe(verb);
  });
});

describe('a claim to read only is believed', () => {
  test.each([
    ['list_commits', undefined],
    ['get_post', undefined],
    ['search_nodes', 'Search for nodes.'],
    ['read', 'Reads a file. Use this before you delete one.'],
    ['check', 'Says what would be removed. Does not delete anything.'],
    ['x', 'It never deletes a thing'],
    ['query', 'Run a read-only SQL query'],
  ])('of %s (%s)', (name, description) => {
    expect(doubtfulClaim(claiming(name, description))).toBeNull();
  });

  test('of every tool of well-known servers that claims it', () => {
    const tools = (['filesystem', 'github', 'playwright'] as const).flatMap(recordedTools);
    expect(tools.map(doubtfulClaim).filter((verb) => verb !== null)).toEqual([]);
  });
});

test('without such a claim there is nothing to doubt', () => {
  expect(doubtfulClaim({ name: 'drop_database' })).toBeNull();
  expect(doubtfulClaim({ name: 'drop_database', annotations: { readOnlyHint: 'true' } })).toBeNull();
});
