import fc from 'fast-check';

const call = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'write_note', arguments: { text: 'x' } } };
const text = JSON.stringify(call);

/** Other spellings of one member, as lenient readers take them. */
const spellings = (name: string): fc.Arbitrary<string> =>
  fc.constantFrom(
    name,
    name.toUpperCase(),
    `${name[0]?.toUpperCase()}${name.slice(1)}`,
    ` ${name}`,
    `${name}\u200b`,
    name.replace('s', 'ſ'),
    name.normalize('NFKD'),
    [...name].map((char) => String.fromCodePoint(char.codePointAt(0)! + (/[a-z]/.test(char) ? 0xfee0 : 0))).join(''),
  );

const methods = fc.oneof(
  spellings('tools/call'),
  fc.constantFrom(
    'tools\\u002fcall',
    'tools\\/call',
    'tools/call\\u0000',
    'TOOLS/CALL',
    'ping',
    'tools/list',
    'initialize',
  ),
);
const values = fc.oneof(
  fc.constantFrom<unknown>(null, 7, '7', 7.5, {}, [], true, -0, '2.0', ['tools/call'], { toString: 'tools/call' }),
  fc.constant(call.params),
  fc.constant(call),
);
const names = fc.oneof(
  ...['jsonrpc', 'id', 'method', 'params', 'result', 'error'].map(spellings),
  fc.constantFrom('__proto__', 'constructor', 'batch', 'messages'),
);
const member = fc
  .tuple(
    names,
    fc.oneof(
      values.map((value) => JSON.stringify(value)),
      methods.map((method) => `"${method}"`),
    ),
  )
  .map(([name, value]) => `${JSON.stringify(name)}:${value}`);

/** A message that has the members of a call, and others before, between and after them. */
const mixed = fc
  .tuple(fc.array(member, { maxLength: 3 }), methods, fc.array(member, { maxLength: 3 }), fc.boolean())
  .map(([before, method, after, hasId]) => {
    const own = [
      '"jsonrpc":"2.0"',
      ...(hasId ? ['"id":7'] : []),
      `"method":"${method}"`,
      `"params":${JSON.stringify(call.params)}`,
    ];
    return `{${[...before, ...own, ...after].join(',')}}`;
  });

/** A harmless message that carries a call in a text or around itself. */
const smuggled = fc
  .constantFrom('\n', '\r', '\r\n', '\u2028', '\u2029', '\u0085', '\v', '\f', '\0', '\\n', '\\u2028', '\ufeff')
  .map((end) => `{"jsonrpc":"2.0","id":8,"method":"ping","params":{"note":"a${end}${text}${end}b"}}`);
const wrapped = fc.constantFrom(
  `[${text}]`,
  `[[${text}]]`,
  `[{"jsonrpc":"2.0","method":"ping"},${text}]`,
  `\ufeff${text}`,
  `${text}${text}`,
  `${text},`,
  `/**/${text}`,
  `${text}//`,
  `"${text.replaceAll('"', '\\"')}"`,
  `{"jsonrpc":"2.0","id":9,"result":${text}}`,
  `{"jsonrpc":"2.0","id":9,"method":"tasks/create","params":${text}}`,
  text.replace('}}}', `},"inputResponses":{"sure":{"action":"accept"}}}}`),
  text.replace('}}}', `},"requestState":"${'0'.repeat(64)}"}}`),
  text.replace('"id":7', '"id":null'),
  text.replace('"id":7', '"id":1e999'),
);
const broken = fc
  .tuple(fc.nat(text.length), fc.uint8Array({ maxLength: 4 }))
  .map(([at, bytes]) =>
    Buffer.concat([Buffer.from(text.slice(0, at)), Buffer.from(bytes), Buffer.from(text.slice(at))]),
  );

/** Lines that try to reach an upstream as a call. */
export const hostileLines: fc.Arbitrary<Buffer> = fc.oneof(
  { weight: 5, arbitrary: mixed.map((line) => Buffer.from(line)) },
  { weight: 1, arbitrary: smuggled.map((line) => Buffer.from(line)) },
  { weight: 2, arbitrary: wrapped.map((line) => Buffer.from(line)) },
  { weight: 2, arbitrary: broken },
);
