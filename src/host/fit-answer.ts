import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import type { AskedForm } from './elicitation-request.ts';
import type { HostSettings } from './host-options.ts';
import type { Refused } from './refusal.ts';

type Content = Record<string, string | number | boolean | string[]>;
export type FormAnswer = { content?: Content };

/**
 * The answer as it may leave: with the server's defaults where that is wanted, and held against the very schema the
 * server sent, by the validator MCP servers use. People have been held to stricter rules already.
 */
export function fitAnswer(
  { serverName, applyDefaults }: HostSettings,
  { requestedSchema }: AskedForm,
  answered: Content,
): FormAnswer | Refused {
  const content = applyDefaults ? { ...defaultsOf(requestedSchema), ...answered } : answered;
  const fault = faultOf(requestedSchema, content);
  if (fault === undefined) return { content };
  const detail = `The answer was not passed on, for ${serverName} would refuse it: ${fault}`;
  return { reason: 'answer-not-fitting', action: 'cancel', detail };
}

/** A validator of its own for each answer: one that is kept collects the schemas of strangers. */
function faultOf(schema: object, content: Content): string | undefined {
  try {
    return new AjvJsonSchemaValidator().getValidator(schema)(content).errorMessage;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Read off a schema that Assentry has accepted, so every default fits its field. */
function defaultsOf({ properties }: Record<string, unknown>): Content {
  const fields = Object.entries((properties ?? {}) as Record<string, { default?: Content[string] }>);
  return Object.fromEntries(
    fields.flatMap(([name, field]) => (field.default === undefined ? [] : [[name, field.default]])),
  );
}
