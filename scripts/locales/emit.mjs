import { TYPE } from '@formatjs/icu-messageformat-parser';
import { listFormat } from './signature.mjs';

/** The module of one language: what English has, with the words of this language. */
export function emitModule(tree, english, language) {
  const used = new Set();
  const lines = [...tree.entries].map(([key, word]) => {
    const model = english.entries.get(key);
    const value = emitWord(word, model, used);
    return `export const ${key}${typeNote(model) || (value.startsWith("'") ? ': string' : '')} = ${value};\n`;
  });
  const names = [...used].toSorted();
  const head =
    names.length === 0
      ? ''
      : `import { formatsIn } from '#platform/text/formats';\n\nconst { ${names.join(', ')} } = formatsIn('${language}');\n\n`;
  return head + lines.join('\n');
}

const typeNote = ({ type }) => (type === undefined ? '' : `: ${type}`);

function emitWord(word, model, used) {
  if (word.kind === 'message') return emitMessage(word, model.signature, used);
  const entries = [...model.entries].map(([key, below]) => {
    const value = emitWord(word.entries.get(key), below, used);
    const note = typeNote(below);
    return `${/^[a-zA-Z_]\w*$/.test(key) ? key : quote(key)}: ${note === '' ? value : `${value} as${note.slice(1)}`}`;
  });
  return `{ ${entries.join(', ')} }`;
}

function emitMessage({ parts, isList }, signature, used) {
  const types = new Map(signature.parameters.map(({ name, type }) => [name, type]));
  const texts = parts.map((nodes) => emitText(nodes, types, used));
  const value = isList ? `[${texts.join(', ')}]` : texts[0];
  if (signature.parameters.length === 0) return isList && texts.length === 0 ? '[] as string[]' : value;
  return `(${emitParameters(signature)}): ${isList ? 'string[]' : 'string'} => ${value}`;
}

function emitParameters({ isObject, parameters }) {
  const typed = parameters.map(
    ({ name, type }) => `${name}: ${type.replace(/^(?:list|choice)\b/, 'readonly string[]')}`,
  );
  return isObject ? `{ ${parameters.map(({ name }) => name).join(', ')} }: { ${typed.join('; ')} }` : typed.join(', ');
}

/** An expression for a text: a literal if it has no values, otherwise a template. `hash` is what `#` stands for. */
function emitText(nodes, types, used, hash) {
  if (nodes.every(({ type }) => type === TYPE.literal)) return quote(nodes.map(({ value }) => value).join(''));
  const [only, another] = nodes;
  const isText = only.type !== TYPE.argument || types.get(only.value) !== 'number';
  if (another === undefined && isText) return emitValue(only, types, used, hash);
  const parts = nodes.map((node) =>
    node.type === TYPE.literal ? inTemplate(node.value) : `\${${emitValue(node, types, used, hash)}}`,
  );
  return `\`${parts.join('')}\``;
}

function emitValue(node, types, used, hash) {
  const call = (name, ...values) => {
    used.add(name);
    return `${name}(${values.join(', ')})`;
  };
  const text = (nodes, below = hash) => emitText(nodes, types, used, below);
  switch (node.type) {
    case TYPE.literal:
      return quote(node.value);
    case TYPE.argument: {
      const list = listFormat(types.get(node.value));
      return list ? call(list, node.value) : node.value;
    }
    case TYPE.pound:
      return call('number', hash);
    case TYPE.number:
      return call(formatOf(node.style), node.value);
    case TYPE.plural:
      return emitPlural(node, listFormat(types.get(node.value)) !== undefined, text, call);
    case TYPE.select:
      return emitSelect(node, text, types.get(node.value));
    default:
      throw new Error(`{${node.value}} is of no type that is compiled`);
  }
}

/** `::percent` and `duration` are the formats of that name. */
const formatOf = (style) => (style?.parsedOptions?.style === 'percent' ? 'percent' : (style ?? 'number'));

/** Exact numbers first, then the noun in the number that the language asks for. A list is counted by its entries. */
function emitPlural({ value: name, options }, isList, text, call) {
  const value = isList ? `${name}.length` : name;
  const forms = Object.fromEntries(Object.entries(options).map(([key, option]) => [key, option.value]));
  const exact = Object.entries(forms).filter(([key]) => key.startsWith('='));
  const rest = forms.one ? emitCount(value, forms, text, call) : text(forms.other, value);
  return inBrackets(
    exact.map(([key, nodes]) => `${value} === ${key.slice(1)} ? ${text(nodes, value)} : `).join('') + rest,
  );
}

function emitCount(value, { one, other }, text, call) {
  const isCounted = [one, other].every(
    ([first, second]) => first?.type === TYPE.pound && second?.value?.startsWith?.(' '),
  );
  if (!isCounted) return call('noun', value, `{ one: ${text(one, value)}, other: ${text(other, value)} }`);
  const rest = ([, second, ...more]) => text([{ ...second, value: second.value.slice(1) }, ...more], value);
  return call('count', value, `{ one: ${rest(one)}, other: ${rest(other)} }`);
}

function emitSelect({ value, options }, text, type) {
  const { other, ...keyed } = options;
  const entries = Object.entries(keyed);
  const isClosed = other.value.length === 0 && entries.length > 1 && !/\b(?:string|number|null|boolean)\b/.test(type);
  if (isClosed && entries.length > 2)
    return `({ ${entries.map(([key, option]) => `${quote(key)}: ${text(option.value)}`).join(', ')} })[${value}]`;
  const chosen = isClosed ? entries.slice(0, -1) : entries;
  const last = isClosed ? entries.at(-1)[1] : other;
  return inBrackets(
    chosen.map(([key, option]) => `${conditionOf(value, key)} ? ${text(option.value)} : `).join('') + text(last.value),
  );
}

const conditionOf = (value, key) =>
  key === 'true' ? value : key === 'false' ? `!${value}` : `${value} === ${key === 'null' ? key : quote(key)}`;

const inBrackets = (code) => (code.includes(' ? ') ? `(${code})` : code);

const quote = (text) => `'${escape(text).replaceAll("'", "\\'")}'`;

const inTemplate = (text) => escape(text).replaceAll('`', '\\`').replaceAll('${', '\\${');

/** Characters that are not seen are spelled out. */
const escape = (text) =>
  text
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replaceAll(/[^\P{C}]|[^\P{Z} ]/gu, (character) => `\\u{${character.codePointAt(0).toString(16)}}`);
