import { z } from 'zod';

export interface WrongBody {
  name: string;
  body: unknown;
  /** Where an error must point. */
  path: (string | number)[];
}

interface JsonSchema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | false;
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
}

const wrongByType: Record<string, unknown[]> = {
  string: [7, true, null, [], {}],
  number: ['7', true, null, [], {}],
  integer: ['7', true, null, [], 1.5],
  boolean: ['true', 1, null, []],
  object: ['{}', 7, true, null, []],
  array: ['[]', 7, {}, null],
};

/** For every property of a request schema values of other types, and for every closed object a property too many. */
export function wrongBodies(schema: z.ZodType): WrongBody[] {
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as JsonSchema;
  return branchesOf(resolve(root, root)).flatMap((branch) => [
    ...wrongByType['object']!.map((body) => ({ name: `${JSON.stringify(body)} for a body`, body, path: [] })),
    ...wrongProperties(root, branch, []),
  ]);
}

function wrongProperties(
  root: JsonSchema,
  { properties = {}, additionalProperties }: JsonSchema,
  path: string[],
): WrongBody[] {
  const wrong = Object.entries(properties).flatMap(([name, property]) => {
    const at = [...path, name];
    const resolved = resolve(root, property);
    return [
      ...wrongValues(resolved).map((value) => wrongBody(at, value)),
      ...(resolved.properties ? wrongProperties(root, resolved, at) : []),
    ];
  });
  return additionalProperties === false ? [...wrong, wrongBody([...path, 'no_such_property'], 1)] : wrong;
}

const wrongBody = (path: string[], value: unknown): WrongBody => ({
  name: `${path.join('.')} = ${JSON.stringify(value)}`,
  body: path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value),
  path,
});

function wrongValues({ type, enum: choices, anyOf }: JsonSchema): unknown[] {
  if (choices) return ['no such choice', 7, null, []];
  if (anyOf || type === undefined) return [];
  return wrongByType[type] ?? [];
}

const branchesOf = (schema: JsonSchema): JsonSchema[] => schema.anyOf ?? schema.oneOf ?? [schema];

function resolve(root: JsonSchema, { $ref, ...schema }: JsonSchema): JsonSchema {
  const name = $ref?.replace('#/$defs/', '');
  return name === undefined ? schema : { ...root.$defs?.[name], ...schema };
}
