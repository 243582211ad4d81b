import { setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { EditorState, type Text } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useEffectEvent, useRef, type Ref, useImperativeHandle } from 'react';
import type { Schema } from '../schema-choices/schema-choices.ts';
import { editorExtensions } from './editor-extensions.ts';
import type { Suggest } from './schema-completion.ts';
import classes from '../YamlEditor.module.css';

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

/** YAML with completion from a schema and faults at their place. Escape, then Tab, leaves it. */
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

  // What another view of the document wrote comes in; what was typed here is in already.
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

/** Only what differs, so that the cursor and the history keep their places. */
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
