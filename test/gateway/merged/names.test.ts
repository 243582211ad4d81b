import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { honoredOf, forClient, ownFilter, routeOf } from '#gateway/merged/upstream';
import { mergeLists } from '#gateway/merged/results';
import { addresses, ids, isPrefix, names, places, cursors, sessions } from '#gateway/merged/names';

const upstream = fc.stringMatching(/^[A-Za-z0-9_.-]{1,12}$/).filter(isPrefix);
const tool = fc.stringMatching(/^[A-Za-z0-9_.-]{0,12}$/);

test('a name leads back to its upstream and to what the upstream calls it, whatever either is called', () => {
  fc.assert(
    fc.property(upstream, tool, (owner, own) => {
      expect(names.split(names.join(owner, own))).toEqual({ upstream: owner, own });
    }),
  );
  fc.assert(
    fc.property(upstream, fc.string(), (owner, own) => {
      expect(addresses.split(addresses.join(owner, own))).toEqual({ upstream: owner, own });
      expect(places.split(places.join(owner, own))).toEqual({ upstream: owner, own });
      expect(ids.split(ids.join(owner, own))).toEqual({ upstream: owner, own });
    }),
  );
});

test('a number and the same number as a text are two ids, and each is written in one way', () => {
  expect(ids.split(ids.join('a', 7))).toEqual({ upstream: 'a', own: 7 });
  expect(ids.split('a/"7"')).toEqual({ upstream: 'a', own: '7' });
  for (const id of ['a/ 7', 'a/7.0', 'a/7e0', 'a/null', 'a/', '7', '/']) {
    const owned = ids.split(id);
    expect(owned && ids.join(owned.upstream, owned.own)).toBe(owned && id);
  }
  expect(ids.split('a/ 7')).toBeNull();
});

test('no upstream has a name that could end elsewhere', () => {
  expect(['files', 'a_b', '_a', 'a.b-c'].filter(isPrefix)).toHaveLength(4);
  expect(['a__b', 'a_', '_', '__'].filter(isPrefix)).toEqual([]);
});

test('what a server sends comes back to it as it was', () => {
  const there = forClient('files');
  const question = {
    jsonrpc: '2.0' as const,
    id: 4,
    method: 'sampling/createMessage',
    params: { _meta: { progressToken: 9 } },
  };
  const sent = there(question);
  expect(sent).toMatchObject({ id: 'files/4', params: { _meta: { progressToken: 'files/9' } } });
  expect(routeOf({ jsonrpc: '2.0', id: sent.id, result: { a: 1 } })).toEqual({
    to: 'owner',
    upstream: 'files',
    frame: { jsonrpc: '2.0', id: 4, result: { a: 1 } },
  });
  const progress = { jsonrpc: '2.0' as const, method: 'notifications/progress', params: { progressToken: 'files/9' } };
  expect(routeOf(progress)).toMatchObject({ to: 'owner', frame: { params: { progressToken: 9 } } });
  const task = there({ jsonrpc: '2.0', id: 'mine', result: { task: { taskId: 't' } } });
  expect(task).toEqual({ jsonrpc: '2.0', id: 'mine', result: { task: { taskId: 'files/t' } } });
  const get = { jsonrpc: '2.0' as const, id: 1, method: 'tasks/get', params: { taskId: 'files/t' } };
  expect(routeOf(get)).toMatchObject({ to: 'owner', upstream: 'files', frame: { params: { taskId: 't' } } });
});

test('addresses in results are those that can be read, and everything else is the same object', () => {
  const there = forClient('files');
  const link = { type: 'resource_link', uri: 'file:///a', name: 'a' };
  const text = { type: 'text', text: 'file:///a', name: 'b' };
  const result = { content: [link, text, { type: 'resource', resource: { uri: 'file:///b', text: '' } }] };
  expect(there({ jsonrpc: '2.0', id: 1, result }).result).toEqual({
    content: [
      { ...link, uri: 'upstream:files/file:///a' },
      text,
      { type: 'resource', resource: { uri: 'upstream:files/file:///b', text: '' } },
    ],
  });
  const plain = {
    jsonrpc: '2.0' as const,
    id: 1,
    result: { content: [text], structuredContent: { uri: 'x', name: 'y' } },
  };
  expect(there(plain)).toBe(plain);
});

test('sessions and cursors are read in one spelling only', () => {
  const id = sessions.pack({ files: { id: 's', version: '2025-11-25' } });
  expect(sessions.unpack(id)?.get('files')).toEqual({ id: 's', version: '2025-11-25' });
  const cursor = cursors.pack({ files: 'next' });
  expect([...(cursors.unpack(cursor) ?? [])]).toEqual([['files', 'next']]);
  for (const bad of [`${cursor}=`, `${cursor} `, id, '', 'e30x', 7, null]) expect(cursors.unpack(bad)).toBeNull();
});

test('a list of all servers says what any of them says of its own, in the name of all', () => {
  const serverInfo = 'io.modelcontextprotocol/serverInfo';
  const [x, y] = ['x', 'y'].map((name) => ({ name, inputSchema: { type: 'object' } }));
  const parts = [
    {
      upstream: 'a',
      session: null,
      result: { tools: [x], _meta: { a: 1, [serverInfo]: { name: 'a' } }, nextCursor: 'x' },
    },
    { upstream: 'b', session: null, result: { tools: [y], _meta: { b: 2 }, resultType: 'complete' } },
  ];
  const gateway = expect.objectContaining({ name: 'assentry-gateway' });
  const own = expect.objectContaining({ name: 'awaitElicitationResult' });
  const all = { tools: [x, y], _meta: { a: 1, b: 2, [serverInfo]: gateway }, resultType: 'complete' };
  expect(mergeLists(parts, 'tools', null)).toEqual({ ...all, tools: [x, y, own] });
  expect(mergeLists(parts, 'tools', 'next')).toEqual({ ...all, nextCursor: 'next' });
});

test('a task of 2026-07-28 and its result lead back to their server, also where a subscription tells of them', () => {
  const there = forClient('files');
  const content = [{ type: 'resource_link', uri: 'note://a', name: 'a' }];
  const task = { taskId: 't', status: 'completed', result: { content } };
  const own = { taskId: 'files/t', result: { content: [{ uri: 'upstream:files/note://a' }] } };
  expect(there({ jsonrpc: '2.0', id: 1, result: task })).toMatchObject({ result: own });
  expect(there({ jsonrpc: '2.0', method: 'notifications/tasks', params: task })).toMatchObject({ params: own });
  const filter = { toolsListChanged: true, taskIds: ['files/t', 'other/t', 'files'], resourceSubscriptions: [] };
  expect(ownFilter('files')(filter)).toEqual({ ...filter, taskIds: ['t'] });
  expect(honoredOf('files')({ taskIds: ['t'] })).toEqual({ taskIds: ['files/t'] });
});

test('what a server asks of the client is about that server alone', () => {
  const there = forClient('files');
  const asking = (method: string, params: object) => ({ jsonrpc: '2.0' as const, id: 1, method, params });
  const sampling = asking('sampling/createMessage', { includeContext: 'thisServer', messages: [] });
  const alone = { params: { includeContext: 'none' } };
  expect(there(sampling)).toMatchObject(alone);
  const round = { jsonrpc: '2.0' as const, id: 1, result: { inputRequests: { a: sampling } } };
  expect(there(round)).toMatchObject({ result: { inputRequests: { a: alone } } });
  const own = { params: { elicitationId: 'files/e' } };
  expect(there(asking('elicitation/create', { elicitationId: 'e' }))).toMatchObject(own);
  expect(there(asking('notifications/elicitation/complete', { elicitationId: 'e' }))).toMatchObject(own);
  const error = { code: -32042, message: 'Sign in', data: { elicitations: [{ elicitationId: 'e' }] } };
  expect(there({ jsonrpc: '2.0', id: 1, error })).toMatchObject({
    error: { data: { elicitations: [{ elicitationId: 'files/e' }] } },
  });
});
