import { z } from 'zod';

interface Schema {
  type?: string;
  $ref?: string;
  $defs?: Record<string, Schema>;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  pattern?: string;
  format?: string;
  minimum?: number;
  minItems?: number;
  minLength?: number;
}

interface Drawing {
  /** From 0 to 1. */
  draw(): number;
  /** The text for a field of this name and pattern; undefined leaves it to the schema. */
  textFor(name: string, pattern: string | undefined): string | undefined;
  /** How likely is it that a field is there which may be left out? */
  optional: number;
}

/** A value that this schema accepts as far as JSON Schema says it, drawn field by field. */
export function valueFrom(schema: z.ZodType, drawing: Drawing): unknown {
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema;
  return drawValue(root, '', root.$defs ?? {}, drawing);
}

function drawValue(schema: Schema, name: string, defs: Record<string, Schema>, drawing: Drawing): unknown {
  const { draw } = drawing;
  const next = (part: Schema, of = name) => drawValue(part, of, defs, drawing);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(draw() * list.length)] as T;
  if (schema.$ref) return next(defs[schema.$ref.replace('#/$defs/', '')] ?? {});
  if ('const' in schema) return schema.const;
  if (schema.enum) return pick(schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return next(pick(choices));
  if (schema.allOf) return next(schema.allOf[0] ?? {});
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([key]) => schema.required?.includes(key) || draw() < drawing.optional)
          .map(([key, part]) => [key, next(part, key)]),
      );
    case 'array':
      return Array.from({ length: Math.max(1, schema.minItems ?? 0) }, () => next(schema.items ?? {}));
    case 'string':
      return drawing.textFor(name, schema.pattern) ?? 'Because a test needs it.'.padEnd(schema.minLength ?? 0, '.');
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, 1);
    case 'boolean':
      return draw() < 0.5;
    default:
      return null;
  }
}
