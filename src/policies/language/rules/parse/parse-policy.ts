import { LineCounter, type Document, type YAMLParseError, type YAMLWarning } from 'yaml';
import type { FieldError } from '#platform/model/problem';
import type { PolicyDocument } from '../../../document/rules/document/policy-document.ts';
import { commandFaults } from '../faults/command-faults.ts';
import { policyDocumentSchema } from '../schema/policy-schema.ts';
import { flattenIssues } from '../faults/schema-faults.ts';
import { hiddenFaults } from '../faults/hidden-faults.ts';
import { findExcess, offsetOf, pathAt, tooDeep } from './source-position.ts';
import { readDocuments, type ReadingLimits } from './yaml-documents.ts';

/** One fault and its place: `path` in the document, `line` and `column` in the text, both from 1. */
export interface PolicyError extends FieldError {
  line: number;
  column: number;
}

type ParsedPolicies = { ok: true; policies: PolicyDocument[] } | { ok: false; errors: PolicyError[] };
type ParsedPolicy = { ok: true; policy: PolicyDocument } | { ok: false; errors: PolicyError[] };

const maxTextLength = 65_536;
const maxFileLength = 262_144;
const maxErrors = 50;
/** A long policy of every term has some 2,000 tokens. */
const onePolicy: ReadingLimits = { maxTokens: 8_000, maxDocuments: 1 };
const manyPolicies: ReadingLimits = { maxTokens: Number.POSITIVE_INFINITY, maxDocuments: 10_000 };

/**
 * Reads one policy, written as YAML or JSON. Every error has its position, those inside of expressions too. A text that is not
 * in force yet has more faults: what was learned after others were published.
 */
export function parsePolicy(text: string, { isNew = false } = {}): ParsedPolicy {
  const parsed = readAll(text, { longest: maxTextLength, isNew }, onePolicy);
  if (!parsed.ok) return parsed;
  const [policy] = parsed.policies;
  return policy ? { ok: true, policy } : refuseText('Write a policy: this text has none.');
}

/** Reads any number of new policies, separated by `---`. Their names must differ. */
export const parsePolicies = (text: string): ParsedPolicies =>
  readAll(text, { longest: maxFileLength, isNew: true }, manyPolicies);

function readAll(
  text: string,
  { longest, isNew }: { longest: number; isNew: boolean },
  limits: ReadingLimits,
): ParsedPolicies {
  if (text.length > longest) return refuseText(`Must have at most ${longest} characters.`);
  const lines = new LineCounter();
  const yaml = readDocuments(text, lines, limits);
  if (!yaml.ok)
    return refuseText(
      yaml.excess === 'depth'
        ? tooDeep
        : `Must have at most ${limits.maxTokens} YAML tokens: names, values and marks such as “:”.`,
    );
  const read = yaml.documents.map((document) => ({ document, ...readDocument(document, text, isNew) }));
  const faults = [
    ...(isNew ? refuseHidden(yaml.documents, text) : []),
    ...read.flatMap((file) => file.faults),
    ...refuseCount(read, limits.maxDocuments),
    ...refuseSameName(read),
  ];
  if (faults.length > 0) return { ok: false, errors: faults.slice(0, maxErrors).map((fault) => place(fault, lines)) };
  return { ok: true, policies: read.flatMap(({ policy }) => (policy ? [policy] : [])) };
}

interface PlacedFault extends FieldError {
  offset: number;
}

interface Read {
  document: Document.Parsed;
  policy: PolicyDocument | null;
  faults: PlacedFault[];
}

function readDocument(document: Document.Parsed, text: string, isNew: boolean): Omit<Read, 'document'> {
  const [error] = [...document.errors, ...document.warnings];
  if (error) return { policy: null, faults: [{ path: [], message: formatYaml(error), offset: error.pos[0] }] };
  const excess = findExcess(document);
  if (excess) return { policy: null, faults: [{ path: [], ...excess }] };
  const value: unknown = document.toJS({ maxAliasCount: -1 }); // they are counted above
  const parsed = policyDocumentSchema.safeParse(value);
  const faults = parsed.success
    ? isNew
      ? commandFaults(parsed.data)
      : []
    : flattenIssues(parsed.error.issues, value).slice(0, maxErrors);
  if (parsed.success && faults.length === 0) return { policy: parsed.data, faults: [] };
  return { policy: null, faults: faults.map((fault) => ({ ...fault, offset: offsetOf(document, text, fault) })) };
}

function refuseHidden(documents: Document.Parsed[], text: string): PlacedFault[] {
  return hiddenFaults(text).map((fault) => {
    const document = documents.find(({ range: [start, , end] }) => start <= fault.offset && fault.offset < end);
    return { ...fault, path: document ? pathAt(document, fault.offset) : [] };
  });
}

function refuseCount(read: Read[], most: number): PlacedFault[] {
  const extra = read[most];
  return extra
    ? [{ path: [], message: 'Keep one policy: only one is allowed here.', offset: startOf(extra.document) }]
    : [];
}

function refuseSameName(read: Read[]): PlacedFault[] {
  const names = new Set<string>();
  return read.flatMap(({ document, policy }) => {
    if (!policy || names.size < names.add(policy.policy).size) return [];
    const fault = { path: ['policy'], message: 'Choose another name: a policy above has this one.' };
    return [{ ...fault, offset: startOf(document) }];
  });
}

const startOf = ({ contents, range }: Document.Parsed): number => contents?.range[0] ?? range[0];

function place({ path, message, offset }: PlacedFault, lines: LineCounter): PolicyError {
  const { line, col } = lines.linePos(offset);
  return { path, message, line, column: col };
}

const formatYaml = ({ code, message }: YAMLParseError | YAMLWarning): string => {
  if (code === 'TAG_RESOLVE_FAILED') return 'Remove the tag: a value is text, a number, true, false, a list or keys.';
  return message.endsWith('.') ? message : `${message}.`;
};

const refuseText = (message: string): { ok: false; errors: PolicyError[] } => ({
  ok: false,
  errors: [{ path: [], message, line: 1, column: 1 }],
});
