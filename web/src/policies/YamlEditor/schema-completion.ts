import {
  startCompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import type { EditorView } from '@codemirror/view';
import { namesAt, valuesAt, type Choice, type Schema } from '../schema-choices/schema-choices.ts';
import { placeAt, type PlacePath, type YamlPlace } from '../schema-choices/yaml-place.ts';
import { editor as words } from '../words/words.ts';

/** Names that this installation has for a place, such as its groups. */
export type Suggest = (path: PlacePath) => string[];

export interface CompletionSources {
  schema: () => Schema | undefined;
  suggest: Suggest;
}

/** Offers what the schema allows where the cursor stands. */
export function completeFromSchema({ schema, suggest }: CompletionSources) {
  return (context: CompletionContext): CompletionResult | null => {
    const root = schema();
    const from = context.matchBefore(/[\w*@.-]*/)?.from ?? context.pos;
    if (root === undefined || (from === context.pos && !context.explicit && !followsOpening(context))) return null;
    const place = placeAt(context.state.doc.toString(), from, context.pos);
    if (place === null) return null;
    const column = from - context.state.doc.lineAt(from).from;
    const options = optionsFor(root, place, suggest, column);
    return options.length === 0 ? null : { from, options, validFor: /^[\w*@.-]*$/ };
  };
}

/** Right after "name: ", "{ ", "[ " and at an indented line's beginning the choices come by themselves. */
const followsOpening = (context: CompletionContext): boolean => context.matchBefore(/(?:[:{[,-] |^ +)$/) !== null;

function optionsFor(root: Schema, { path, wants, present, opensBlock }: YamlPlace, suggest: Suggest, column: number) {
  const names = namesAt(root, path, present);
  if (wants === 'key') return names.map((choice) => nameOption(choice, opensBlock, column));
  const completions = suggest(path).map((text) =>
    wordOption({ text, description: '', opens: null, isRequired: false }),
  );
  const values = valuesAt(root, path).map(wordOption);
  const mappings = names.map((choice) => (opensBlock ? nameOption(choice, true, column) : flowOption(choice)));
  return [...completions, ...values, ...mappings];
}

function nameOption(choice: Choice, opensBlock: boolean, column: number): Completion {
  const inner = `\n${' '.repeat(column + 2)}`;
  const block = choice.opens === 'list' ? `:${inner}- ` : choice.opens === 'mapping' ? `:${inner}` : ': ';
  const flow = choice.opens === 'list' ? ': []' : choice.opens === 'mapping' ? ': {  }' : ': ';
  const after = opensBlock ? block : flow;
  const back = after === ': []' ? 1 : after === ': {  }' ? 2 : 0;
  return option(choice, choice.text + after, back, 'property');
}

const flowOption = (choice: Choice): Completion =>
  option({ ...choice, text: `{ ${choice.text}: … }` }, `{ ${choice.text}:  }`, 2, 'property');

const wordOption = (choice: Choice): Completion => option(choice, quoted(choice.text), 0, 'enum');

/** Inserts `text`, puts the cursor `back` characters before its end, and goes on with what can follow there. */
function option(
  { text: label, description, isRequired }: Choice,
  text: string,
  back: number,
  type: string,
): Completion {
  const apply = (view: EditorView, _: Completion, from: number, to: number) => {
    view.dispatch({
      changes: { from, to, insert: text },
      selection: { anchor: from + text.length - back },
      userEvent: 'input.complete',
    });
    if (type === 'property') startCompletion(view);
  };
  return {
    label,
    type,
    apply,
    ...(description !== '' && { info: description }),
    ...(isRequired && { detail: words.required, boost: 1 }),
  };
}

/** Where YAML would read the text as something else, it is put in quotes. */
const quoted = (text: string): string =>
  /^[A-Za-z][\w@./ -]*$/.test(text) && !text.endsWith(' ')
    ? text
    : /^(true|false|-?\d+)$/.test(text)
      ? text
      : JSON.stringify(text);
