import { afterAll, describe, expect, test } from '@jest/globals';
import type { ElicitationState, OpenedElicitation } from '#requests/asking/contract/open';
import type { MintedToken } from '#requests/pages/contract';
import { askingAt } from '../../support/nodes/asking.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { letIn, newVisitor } from '../../support/nodes/visitor.ts';
import { json } from '../../support/json.ts';

const server = await startTestServer();
afterAll(() => server.stop());
const asking = askingAt(server.url, await server.newServerKey());

const base = { mode: 'url', audience: 'requester', session: 's', schema: undefined, supersede: 'none' };
const pageOf = async (parts: Record<string, unknown>): Promise<OpenedElicitation & { page: string; code: string }> => {
  const opened = await asking.open({ ...base, ...parts });
  const response = await asking.call('POST', '/v1/tokens', { session: 's', purpose: 'page', elicitation: opened.id });
  const { pageUrl, code } = await json<MintedToken>(response);
  return { ...opened, page: pageUrl ?? '', code: code ?? '' };
};
const state = (id: string): Promise<ElicitationState> =>
  json<ElicitationState>(asking.call('GET', `/v1/elicitations/${id}`));
const typesOf = async (id: string): Promise<string[]> =>
  (await server.engine.reader.history(id as never)).map((body) => JSON.parse(Buffer.from(body).toString()).type).sort();

describe('M-72, M-73: a question that leads elsewhere', () => {
  test('names the host and the full address, and goes there only after the consent', async () => {
    const url = 'https://github.com/login?state=a&scope=%22repo%22';
    const { id, page, code } = await pageOf({ url });
    const visitor = newVisitor();
    const shown = await letIn(visitor, page, code);
    expect(shown.html).toContain('<p class="host">github.com</p>');
    expect(shown.html).toContain('https://github.com/login?state=a&#38;scope=%22repo%22');
    expect(shown.html).not.toMatch(/<a |http-equiv/);
    for (let times = 0; times < 2; times++) {
      const remaining = await visitor.send(page, { action: 'accept' });
      expect([remaining.status, remaining.headers.get('location')]).toEqual([303, url]);
    }
    expect(await state(id)).toMatchObject({ status: 'open' });
    expect(await typesOf(id)).toEqual(['elicitation.answered', 'elicitation.opened', 'elicitation.visited']);
  });

  test.each([
    ['decline', 'declined'],
    ['cancel', 'cancelled'],
  ])('ends with a %s', async (action, status) => {
    const { id, page, code } = await pageOf({ url: 'https://github.com/' });
    const visitor = newVisitor();
    await letIn(visitor, page, code);
    expect((await visitor.send(page, { action })).status).toBe(200);
    expect(await state(id)).toMatchObject({ status });
  });

  test('warns of a name in other letters and of a connection in the open', async () => {
    const { page, code } = await pageOf({ url: new URL('https://аррӏе.com/login').href });
    const shown = await letIn(newVisitor(), page, code);
    expect(shown.html).toContain('<p class="host">xn--80ak6aa92e.com</p>');
    expect(shown.html).toContain('may imitate another one');
    const local = await pageOf({ url: 'http://localhost:8080/' });
    expect((await letIn(newVisitor(), local.page, local.code)).html).toContain('isn’t encrypted');
  });

  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'http://example.com/',
    'https://a:b@example.com/',
    '//example.com',
  ])('never leads to %s', async (url) => {
    const response = await asking.call('POST', '/v1/elicitations', {
      tool: { name: 't' },
      arguments: {},
      message: 'm',
      mode: 'url',
      requester: { subject: 'alice' },
      url,
    });
    expect(response.status).toBe(400);
  });
});

describe('WB-06: what strangers wrote', () => {
  const attacks = [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' autofocus onfocus=alert(1) x='",
    '</textarea><svg onload=alert(1)>',
    '</title><script>alert(1)</script>',
    '</style><script>alert(1)</script>',
    '<!--<script>alert(1)</script>',
    '{{constructor.constructor("alert(1)")()}}',
    '<a href="javascript:alert(1)">x</a>',
    '&#60;script&#62;alert(1)&#60;/script&#62;',
  ];

  test.each(attacks)('%j stays text in any place', async (text) => {
    const schema = {
      type: 'object',
      title: text,
      description: text,
      properties: {
        [text.slice(0, 60)]: { type: 'string', title: text, description: text, default: text, maxLength: 400 },
        short: { type: 'string', default: text },
        number: { type: 'integer', title: text },
        one: { type: 'string', enum: [text, 'b'] },
        long: {
          type: 'string',
          oneOf: Array.from({ length: 8 }, (_, at) => ({ const: `${at}${text}`, title: `${at}${text}` })),
        },
        many: { type: 'array', items: { anyOf: [{ const: text, title: text }] } },
      },
    };
    const { url, code } = await asking.open({
      ...base,
      schema,
      message: text,
      reason: text,
      arguments: { [text]: text },
      tool: { name: 'attack', title: text, description: text },
      requester: { subject: 'mallory', client: { name: text } },
    });
    const visitor = newVisitor();
    const shown = await letIn(visitor, url ?? '', code ?? '');
    const refused = await visitor.send(url ?? '', { action: 'accept', 'field.number': text, 'field.short': text });
    expect([shown.status, refused.status]).toEqual([200, 400]);
    for (const { html } of [shown, refused]) {
      expect(
        html.match(
          /<\/?(?!html|head|meta|title|style|body|header|main|h1|h2|p|dl|div|dt|dd|code|pre|strong|span|blockquote|time|form|input|label|textarea|select|option|fieldset|legend|button|ul|li|a |a>)[a-z!]\w*/gi,
        ),
      ).toEqual(['<!doctype']);
      expect(html.match(/<(?:style|title)\b/g)).toHaveLength(2);
      expect(html.replaceAll(/"[^"]*"/g, '""')).not.toMatch(/<[^>]*\s(?:on\w+|autofocus|src|style)=/i);
      expect([...html.matchAll(/href="([^"]*)"/g)].every(([, href]) => href?.startsWith('#field-'))).toBe(true);
    }
  });
});
