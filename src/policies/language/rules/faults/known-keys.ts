import type { FieldError } from '#platform/model/problem';
import { policySchema } from '../schema/policy-schema.ts';

/** The part of a JSON Schema that lists keys and their meanings. */
interface Shape {
  description?: string;
  properties?: Record<string, Shape>;
  additionalProperties?: Shape | boolean;
  items?: Shape;
  anyOf?: Shape[];
  oneOf?: Shape[];
  allOf?: Shape[];
}

let whole: Shape | undefined;

/** The keys that a policy may have at this place, in the order of the documents; of alternatives, those of all. */
export const knownKeys = (path: FieldError['path']): string[] => [
  ...new Set(shapesAt(path).flatMap(({ properties = {} }) => Object.keys(properties))),
];

/** The meaning of this place, in a sentence; empty if there is none. */
export const meaningAt = (path: FieldError['path']): string =>
  shapesAt(path).find(({ description }) => description !== undefined)?.description ?? '';

function shapesAt(path: FieldError['path']): Shape[] {
  whole ??= policySchema() as Shape;
  let shapes = branches(whole);
  for (const step of path) shapes = shapes.flatMap((shape) => stepInto(shape, step)).flatMap(branches);
  return shapes;
}

const branches = (shape: Shape): Shape[] => [
  shape,
  ...[shape.anyOf, shape.oneOf, shape.allOf].flatMap((all) => (all ?? []).flatMap(branches)),
];

function stepInto({ properties = {}, additionalProperties, items }: Shape, step: string | number): Shape[] {
  const shape =
    typeof step === 'number' ? items : (Object.hasOwn(properties, step) && properties[step]) || additionalProperties;
  return typeof shape === 'object' ? [shape] : [];
}
