const contract = /\/src\/(?:.*\/contract(?:\/[\w-]+)?|connect\/providers\/[\w-]+)\.ts$/;
const page = /\/web\/src\/.*\.tsx?$/;

/** What the console reads of a route. */
const kept = new Set(['method', 'path', 'success']);

/**
 * Leaves out of the console what only the server and the OpenAPI document read of contracts: descriptions, schemas that are
 * not used, routes that are not called and, of the others, all but `kept`.
 */
export const plainSchemas = () => ({
  name: 'plain-schemas',
  apply: 'build',
  enforce: 'pre',
  transform(code, file) {
    const editsOf = contract.test(file) ? editsOfContract : page.test(file) && /Routes\b/.test(code) && editsOfPage;
    if (!editsOf) return null;
    const { body } = this.parse(code, { lang: file.endsWith('x') ? 'tsx' : 'ts' });
    return { code: edited(code, editsOf(body, code)), map: null };
  },
});

function editsOfContract(statements, code) {
  const own = statements.flatMap((statement) => tableOf(statement) ?? []);
  const others = statements.filter((statement) => !tableOf(statement));
  const tables = statements.filter(tableOf).map((statement) => {
    return { start: statement.start, end: statement.end, text: singleRoutes(tableOf(statement), code) };
  });
  return [...tables, ...others.flatMap(editsOfSchemas), ...editsOfReads(others, own)];
}

/** The declaration of a table, if that is what the statement is. */
function tableOf({ declaration }) {
  const declared = declaration?.declarations?.[0];
  return isTable(declared?.init) ? declared : undefined;
}

/** Is it `{ … } as const satisfies Record<string, RouteContract>`? */
const isTable = (value) =>
  value?.type === 'TSSatisfiesExpression' &&
  value.typeAnnotation.typeArguments?.params[1]?.typeName?.name === 'RouteContract';

/** A constant for each route of a table: the bundler leaves out those that no one uses. */
function singleRoutes({ id, init }, code) {
  let table = init;
  while (table.expression) table = table.expression;
  const routes = table.properties.map(({ key, value }) => {
    const parts = value.properties.filter((part) => part.type === 'SpreadElement' || kept.has(part.key.name));
    const texts = parts.map((part) => edited(code, editsOfSchemas(part), part));
    return `export const ${nameOf(id, key)} = { ${texts.join(', ')} };`;
  });
  return routes.join('\n');
}

/** Takes out calls of `meta`, and says of the others, which make schemas, that they do nothing else. */
function editsOfSchemas(root) {
  const edits = [];
  const pure = new Set();
  const visit = (node, isWithin) => {
    if (node.type === 'CallExpression' && node.callee.property?.name === 'meta') {
      edits.push({ start: node.callee.object.end, end: node.end, text: '' });
      return visit(node.callee.object, isWithin);
    }
    if (node.type === 'CallExpression' && !isWithin) pure.add(node.start);
    for (const part of partsOf(node)) visit(part, isWithin || /Function/.test(node.type));
  };
  visit(root, false);
  return [...edits, ...Array.from(pure, (start) => ({ start, end: start, text: '/* @__PURE__ */ ' }))];
}

const editsOfPage = (statements) => editsOfReads(statements, []);

/**
 * Names the constant of a route where it is read from a table: from one's own, from one that is imported, or awaited as
 * `(await import(…)).usersRoutes`. A table that is read as a whole fails the build: there is none in it.
 */
function editsOfReads(statements, own) {
  const edits = [];
  const specifiers = statements
    .filter(({ type, source }) => type === 'ImportDeclaration' && isOfContract(source))
    .flatMap((statement) => statement.specifiers)
    .filter(({ importKind, local }) => importKind !== 'type' && local.name.endsWith('Routes'));
  const tables = new Map(
    [...own.map(({ id }) => id), ...specifiers.map(({ local }) => local)].map(({ name }) => [name, new Set()]),
  );
  const visit = (node) => {
    if (node.type === 'ImportDeclaration' || node.type === 'TSTypeQuery') return;
    if (node.type === 'Identifier' && tables.has(node.name)) throw new Error(`${node.name} is read as a whole.`);
    if (node.type === 'MemberExpression' && !node.computed) {
      const { object, property, start, end } = node;
      const used = object.type === 'Identifier' && tables.get(object.name);
      if (used) {
        used.add(nameOf(object, property));
        return edits.push({ start, end, text: nameOf(object, property) });
      }
      if (object.type === 'MemberExpression' && isAwaitedContract(object.object))
        return edits.push({ start: object.property.start, end, text: nameOf(object.property, property) });
    }
    for (const part of partsOf(node)) visit(part);
  };
  for (const statement of statements) visit(statement);
  const named = specifiers.map(({ start, end, local }) => ({
    start,
    end,
    text: [...tables.get(local.name)].join(', '),
  }));
  return [...edits, ...named];
}

const isOfContract = ({ value }) => /\/contract(?:\/[\w-]+)?(?:\.ts)?$/.test(value);

function isAwaitedContract(node) {
  const awaited = node.type === 'ParenthesizedExpression' ? node.expression : node;
  return awaited.type === 'AwaitExpression' && isOfContract(awaited.argument.source ?? {});
}

const nameOf = (table, route) => `${table.name}$${route.name}`;

const partsOf = (node) =>
  Object.values(node)
    .flat()
    .filter((part) => typeof part?.type === 'string');

/** The code, or the part of it in this range, with these edits made. */
function edited(code, edits, { start, end } = { start: 0, end: code.length }) {
  let [text, at] = ['', start];
  for (const edit of edits.toSorted((first, second) => first.start - second.start)) {
    text += code.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return text + code.slice(at, end);
}
