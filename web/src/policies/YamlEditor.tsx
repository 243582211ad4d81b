import { setDiagnostics, type Diagnostic, lintGutter, lintKeymap } from '@codemirror/lint';
import { EditorState, type Text, type Extension, RangeSetBuilder } from '@codemirror/state';
import {
  EditorView,
  drawSelection,
  highlightActiveLine,
  keymap,
  lineNumbers,
  Decoration,
  ViewPlugin,
  type DecorationSet,
  type ViewUpdate,
  highlightSpecialChars,
} from '@codemirror/view';
import { useEffect, useEffectEvent, useRef, type Ref, useImperativeHandle } from 'react';
import {
  type Schema,
  namesAt,
  valuesAt,
  type Choice,
  placeAt,
  type PlacePath,
  type YamlPlace,
} from './schema-choices.ts';
import classes from './YamlEditor.module.css';
import {
  acceptCompletion,
  autocompletion,
  completionKeymap,
  startCompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { indentUnit, syntaxTree } from '@codemirror/language';
import { getNonce } from 'get-nonce';
import { codePoint, hiddenCharacter } from '#platform/text/hidden-characters';
import { textWords } from '../language/words/text-words.ts';
import { editor as words } from './words/words.ts';

/** Lines and columns count from 1. */
interface TextFault {
  line: number;
  column: number;
  message: string;
}

export interface YamlEditorHandle {
  goTo(fault: TextFault): void;
}

interface YamlEditorProps {
  text: string;
  schema: Schema | undefined;
  suggest: Suggest;
  faults: TextFault[];
  label: string;
  describedBy: string;
  isReadOnly?: boolean;
  onChange: (text: string) => void;
  ref?: Ref<YamlEditorHandle>;
}

/** YAML editor with completion from a schema and marked faults. Escape, then Tab, leaves it. */
export function YamlEditor({ text, faults, isReadOnly = false, label, describedBy, ref, ...props }: YamlEditorProps) {
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const onChange = useEffectEvent(props.onChange);
  const schema = useEffectEvent(() => props.schema);
  const suggest = useEffectEvent((path: (string | number)[]) => props.suggest(path));
  const first = useEffectEvent(() => text);

  useEffect(() => {
    if (parent.current === null) return;
    const extensions = editorExtensions({ label, describedBy, isReadOnly, onChange, schema, suggest });
    const editor = new EditorView({ parent: parent.current, state: EditorState.create({ doc: first(), extensions }) });
    view.current = editor;
    return () => editor.destroy();
  }, [label, describedBy, isReadOnly]);

  // Takes over changes of other views; text typed here is already in.
  useEffect(() => {
    const before = view.current?.state.doc.toString();
    if (before === undefined || before === text) return;
    view.current?.dispatch({ changes: changeBetween(before, text) });
  }, [text]);

  useEffect(() => {
    const editor = view.current;
    editor?.dispatch(
      setDiagnostics(
        editor.state,
        faults.map((fault) => diagnose(editor.state.doc, fault)),
      ),
    );
  }, [faults]);

  useImperativeHandle(ref, () => ({
    goTo(fault) {
      const { from } = diagnose(view.current?.state.doc, fault);
      view.current?.dispatch({ selection: { anchor: from }, scrollIntoView: true });
      view.current?.focus();
    },
  }));
  return <div ref={parent} className={classes.editor} />;
}

/** The changed part alone, so that the cursor and the history keep their places. */
function changeBetween(before: string, after: string): { from: number; to: number; insert: string } {
  const shortest = Math.min(before.length, after.length);
  let from = 0;
  while (from < shortest && before[from] === after[from]) from += 1;
  let same = 0;
  while (same < shortest - from && before[before.length - 1 - same] === after[after.length - 1 - same]) same += 1;
  return { from, to: before.length - same, insert: after.slice(from, after.length - same) };
}

function diagnose(doc: Text | undefined, { line: at, column, message }: TextFault): Diagnostic {
  if (doc === undefined) return { from: 0, to: 0, severity: 'error', message };
  const line = doc.line(Math.min(Math.max(at, 1), doc.lines));
  const from = Math.min(line.from + Math.max(column - 1, 0), line.to);
  return { from, to: Math.max(line.to, from), severity: 'error', message };
}

interface EditorSettings extends CompletionSources {
  label: string;
  describedBy: string;
  isReadOnly: boolean;
  onChange: (text: string) => void;
}

function editorExtensions({ label, describedBy, isReadOnly, onChange, ...sources }: EditorSettings): Extension {
  return [
    // Its style element passes the content security policy by the page's own nonce.
    EditorView.cspNonce.of(getNonce() ?? ''),
    EditorView.contentAttributes.of({ 'aria-label': label, 'aria-describedby': describedBy, spellcheck: 'false' }),
    EditorState.readOnly.of(isReadOnly),
    EditorState.tabSize.of(2),
    indentUnit.of('  '),
    lineNumbers(),
    lintGutter(),
    history(),
    drawSelection(),
    highlightActiveLine(),
    EditorView.lineWrapping,
    showHidden,
    yaml(),
    colourParts,
    editorTheme,
    autocompletion({ override: [completeFromSchema(sources)], icons: false, maxRenderedOptions: 60 }),
    keymap.of([
      { key: 'Tab', run: acceptCompletion },
      ...completionKeymap,
      ...lintKeymap,
      ...historyKeymap,
      ...defaultKeymap,
      indentWithTab,
    ]),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onChange(update.state.doc.toString());
    }),
  ];
}

const looks: Record<string, Decoration> = {
  Key: Decoration.mark({ class: 'cm-key' }),
  Comment: Decoration.mark({ class: 'cm-comment' }),
};

/** Sets names and comments apart from values. The theme gives the colours. */
const colourParts: Extension = ViewPlugin.fromClass(
  class {
    parts: DecorationSet;
    constructor(view: EditorView) {
      this.parts = partsIn(view);
    }
    update({ view, docChanged, viewportChanged, startState, state }: ViewUpdate) {
      if (docChanged || viewportChanged || syntaxTree(startState) !== syntaxTree(state)) this.parts = partsIn(view);
    }
  },
  { decorations: ({ parts }) => parts },
);

function partsIn(view: EditorView): DecorationSet {
  const parts = new RangeSetBuilder<Decoration>();
  for (const { from, to } of view.visibleRanges) {
    syntaxTree(view.state).iterate({
      from,
      to,
      enter: ({ name, from: start, to: end }) => {
        const look = looks[name];
        if (look !== undefined) parts.add(start, end, look);
      },
    });
  }
  return parts.finish();
}

/** Our design tokens, which have values for light and dark. */
const editorTheme = EditorView.theme({
  '&': { backgroundColor: 'var(--raised)', color: 'var(--ink)', fontSize: 'var(--text-small)', height: '100%' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '1.65' },
  '.cm-content': { padding: '0.625rem 0', caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--sunken)', color: 'var(--ink-soft)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine, &.cm-focused .cm-activeLineGutter': { backgroundColor: 'var(--hover)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'var(--accent-wash)',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--raised)',
    color: 'var(--ink)',
    border: '1px solid var(--line-strong)',
    borderRadius: '4px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--font-mono)', maxHeight: '80vh' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '0.0625rem 0.625rem', lineHeight: '1.3' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--page)' },
  '.cm-tooltip-autocomplete ul li[aria-selected] .cm-completionDetail': { color: 'var(--page)' },
  '.cm-completionDetail': { color: 'var(--ink-soft)', fontFamily: 'var(--font)', fontStyle: 'normal' },
  '.cm-completionMatchedText': { textDecoration: 'underline' },
  '.cm-tooltip.cm-completionInfo': {
    padding: '0.5rem 0.75rem',
    maxWidth: '22rem',
    fontFamily: 'var(--font)',
    lineHeight: '1.5',
  },
  '.cm-hidden-character': {
    padding: '0 0.3em',
    border: '1px solid currentColor',
    borderRadius: '3px',
    fontWeight: '600',
    color: 'var(--warn)',
    backgroundColor: 'var(--warn-wash)',
  },
  '.cm-key': { color: 'var(--accent)' },
  '.cm-comment': { color: 'var(--ink-soft)', fontStyle: 'italic' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--danger)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--danger)',
    textUnderlineOffset: '0.2em',
  },
});

/** Spells out hidden characters, so that authors and readers see the text that counts. */
export const showHidden: Extension = highlightSpecialChars({
  specialChars: hiddenCharacter,
  render(code) {
    const character = String.fromCodePoint(code);
    const shown = document.createElement('span');
    shown.className = 'cm-hidden-character';
    shown.dataset['hiddenCharacters'] = '';
    shown.textContent = `⟨${codePoint(character)}⟩`;
    shown.title = textWords.hiddenNames[character] ?? codePoint(character);
    return shown;
  },
});

/** Names of this installation for a place, such as its groups. */
type Suggest = (path: PlacePath) => string[];

interface CompletionSources {
  schema: () => Schema | undefined;
  suggest: Suggest;
}

/** Offers the schema's choices at the cursor. */
function completeFromSchema({ schema, suggest }: CompletionSources) {
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

/** Is the cursor right after "name: ", "{ ", "[ " or at an indented line's beginning? Choices then open by themselves. */
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

/** Inserts `text`, puts the cursor `back` characters before its end, and offers the next choices. */
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

/** Quotes a text that YAML would read as another value. */
const quoted = (text: string): string =>
  /^[A-Za-z][\w@./ -]*$/.test(text) && !text.endsWith(' ')
    ? text
    : /^(true|false|-?\d+)$/.test(text)
      ? text
      : JSON.stringify(text);
