import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import type { AskedForm } from '../options/elicitation-request.ts';
import type { HostSettings } from '../options/host-options.ts';
import type { Refused } from '../options/refusal.ts';

type Content = Record<string, string | number | boolean | string[]>;
export type FormAnswer = { content?: Content };

/**
 * The answer to send: with the server's defaults if wanted, and validated by the schema the server sent, with the
 * validator that MCP servers use. People were already held to stricter rules.
 */
export function fitAnswer(
  { serverName, applyDefaults }: HostSettings,
  { requestedSchema }: AskedForm,
  answered: Content,
): FormAnswer | Refused {
  const content = applyDefaults ? { ...defaultsOf(requestedSchema), ...answered } : answered;
  const fault = faultOf(requestedSchema, content);
  if (fault === undefined) return { content };
  const detail = `The answer was not passed on, because ${serverName} would refuse it: ${fault}`;
  return { reason: 'answer-not-fitting', action: 'cancel', detail };
}

/** A new validator for each answer: a shared one would collect schemas without limit. */
function faultOf(schema: object, content: Content): string | undefined {
  try {
    return new AjvJsonSchemaValidator().getValidator(schema)(content).errorMessage;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The schema was accepted by Assentry, so every default fits its field. */
function defaultsOf({ properties }: Record<string, unknown>): Content {
  const fields = Object.entries((properties ?? {}) as Record<string, { default?: Content[string] }>);
  return Object.fromEntries(
    fields.flatMap(([name, field]) => (field.default === undefined ? [] : [[name, field.default]])),
  );
}
