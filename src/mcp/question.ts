import type { z } from 'zod';
import { checkAnswer } from '../form/answer.ts';
import { formSchemaFromZod, parseWithZod, type FormShape } from '../form/from-zod.ts';
import { lintFormSchema, type LintResult } from '../form/lint.ts';
import type { FormContent, FormSchema } from '../form/schema.ts';
import { Problem } from '../model/problem.ts';
import { InvalidInputError } from './errors.ts';

export type ZodForm = z.ZodObject<FormShape>;
/** An MCP form schema written by hand; it is linted before anybody is asked. */
export type JsonForm = FormSchema | { type: 'object'; [keyword: string]: unknown };

export interface Question {
  message: string;
  schema: FormSchema;
  /** Content that satisfies the form and, for zod, its refinements and transforms; else InvalidInputError. */
  read(content: unknown): { form: FormContent; value: unknown };
}

/** Makes a question out of what the tool's author wrote; INVALID_INPUT where a form cannot say it. */
export function readQuestion(message: string, form: ZodForm | JsonForm): Question {
  const lint = isZod(form) ? formSchemaFromZod(form) : lintFormSchema(form);
  const schema = requireSchema(lint);
  return {
    message,
    schema,
    read: (content) => {
      const checked = requireContent(schema, content);
      return { form: checked, value: isZod(form) ? parse(form, checked) : checked };
    },
  };
}

/** By its mark, not its class: a tool may bring another copy of zod. */
const isZod = (form: ZodForm | JsonForm): form is ZodForm => '_zod' in form;

function requireSchema(lint: LintResult): FormSchema {
  if (lint.ok) return lint.schema;
  throw new Problem('INVALID_INPUT', { detail: 'This question cannot be asked as a form.', errors: lint.errors });
}

function requireContent(schema: FormSchema, content: unknown): FormContent {
  const checked = checkAnswer(schema, { action: 'accept', content });
  if (!checked.ok) throw new InvalidInputError(checked.errors);
  return checked.content ?? {};
}

function parse(form: ZodForm, content: FormContent): unknown {
  const parsed = parseWithZod(form, content);
  if (!parsed.ok) throw new InvalidInputError(parsed.errors);
  return parsed.data;
}
