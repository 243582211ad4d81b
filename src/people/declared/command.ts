import type { Command } from 'commander';
import { LineCounter, parseDocument, type Document } from 'yaml';
import type { Administration } from '#sdk/client/administration';
import { Problem, type FieldError } from '#platform/model/problem';
import {
  awaitChange,
  openAdministration,
  tokenFileOption,
  urlOption,
  waitOption,
  type RemoteOptions,
} from '#cli/administration';
import { asJson, examples, printResult, readText } from '#cli/output';

export const addApplyCommand = (program: Command): Command =>
  program
    .command('apply')
    .description(
      'make people, groups and servers as a file declares them, all or nothing, with an administrative token',
    )
    .requiredOption('-f, --file <file>', 'the declared directory, in YAML or JSON')
    .option(...urlOption)
    .option(...tokenFileOption)
    .option('--prune', 'disable people and delete groups that the file leaves out')
    .option('--dry-run', 'say what would be changed, and change nothing')
    .option(...waitOption)
    .option(...asJson)
    .addHelpText(
      ...examples(
        'assentry apply -f directory.yaml --dry-run',
        'assentry apply -f directory.yaml --url https://assentry.example.com --token-file token --wait',
      ),
    )
    .action(apply);

interface Options extends RemoteOptions {
  file: string;
  prune?: boolean;
  dryRun?: boolean;
  json?: boolean;
}

type Step = Awaited<ReturnType<Administration['applyDirectory']>>['changes'][number];

async function apply({ file, prune, dryRun, json, ...remote }: Options): Promise<void> {
  const { declared, placeOf } = readDeclared(file, await readText(file));
  const administration = openAdministration(remote);
  const body = { ...declared, ...(prune && { prune }), ...(dryRun && { dryRun }) };
  const { changes, request } = await administration.applyDirectory(body).catch((error: unknown) => {
    throw error instanceof Problem && error.errors.length > 0 ? withPlaces(error, placeOf) : error;
  });
  const lines = changes.length === 0 ? ['Everything is as declared.'] : changes.map(formatStep);
  const end = dryRun ? 'dry-run' : await awaitChange(administration, request, remote);
  const waits = end === 'waiting' ? [`Nothing is changed until a second administrator accepts ${request}.`] : [];
  printResult(json, { state: end, changes, ...(request && { request }) }, [...lines, ...waits]);
}

type PlaceOf = (path: readonly (string | number)[]) => string;

/** The document as it will be sent, and where in the file something is. */
function readDeclared(file: string, text: string): { declared: object; placeOf: PlaceOf } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  const faults = document.errors.map(({ pos: [start], message }) => ({
    path: [at(start)],
    message: message.split(' at line')[0] ?? message,
  }));
  const declared: unknown = faults.length > 0 ? null : document.toJS({ maxAliasCount: 0 });
  if (faults.length === 0 && (typeof declared !== 'object' || declared === null || Array.isArray(declared)))
    faults.push({ path: [`${file}:1:1`], message: 'Write people, groups and servers.' });
  if (faults.length > 0) throw new Problem('INVALID_INPUT', { errors: faults });
  return { declared: declared as object, placeOf: (path) => at(startOf(document, path)) };
}

/** The offset of the deepest part of this path that is there. */
function startOf(document: Document, path: readonly (string | number)[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true);
    if (typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range))
      return Number(node.range[0]);
  }
  return 0;
}

const withPlaces = (problem: Problem, placeOf: PlaceOf): Problem =>
  new Problem(problem.code, {
    detail: problem.message,
    errors: problem.errors.map(({ path, message }): FieldError => ({
      path: [`${placeOf(path)}: ${path.join('.')}`],
      message,
    })),
  });

/** One line for each difference, as people read diffs. */
function formatStep(step: Step): string {
  switch (step.change) {
    case 'add-group':
      return `+ group ${step.group}`;
    case 'change-group':
      return `~ group ${step.group}: description`;
    case 'delete-group':
      return `- group ${step.group}`;
    case 'add-role':
      return `+ role ${step.role}: ${step.permissions.join(', ')}`;
    case 'change-role':
      return `~ role ${step.role}: ${step.from.join(', ')} → ${step.to.join(', ')}`;
    case 'remove-role':
      return `- role ${step.role}`;
    case 'add-person':
      return `+ person ${step.email}: ${[step.name, step.role, ...step.groups].join(', ')}`;
    case 'change-person':
      return `~ person ${step.person.email}: ${formatChanges(step.from, step.to)}`;
    case 'change-members':
      return `~ group ${step.group}: ${[...step.add.map(({ email }) => `+${email}`), ...step.remove.map(({ email }) => `-${email}`)].join(' ')}`;
    case 'set-confirmation':
      return `~ group ${step.group}: members confirmed ${formatConfirmation(step.from)} → ${formatConfirmation(step.to)}`;
    case 'add-server':
      return `+ server ${step.server}`;
    case 'set-owner':
      return `~ server ${step.server}: owner ${formatValue(step.from)} → ${formatValue(step.to)}`;
  }
}

type Confirmation = Extract<Step, { change: 'set-confirmation' }>['to'];

function formatConfirmation({ days, owners }: Confirmation): string {
  const by = owners.length === 0 ? '' : ` by ${owners.map(({ email }) => email).join(', ')}`;
  return days === null ? `by no one${by === '' ? '' : `, owned${by}`}` : `every ${days} days${by}`;
}

type Settings = Extract<Step, { change: 'change-person' }>['to'];

const formatChanges = (from: Settings, to: Settings): string =>
  (Object.keys(to) as (keyof Settings)[])
    .map((key) => `${key} ${formatValue(from[key])} → ${formatValue(to[key])}`)
    .join('; ');

function formatValue(value: Settings[keyof Settings]): string {
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' ? value : value.email;
}
