import { acceptCompletion, autocompletion, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { indentUnit } from '@codemirror/language';
import { lintGutter, lintKeymap } from '@codemirror/lint';
import { EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { getNonce } from 'get-nonce';
import { colourParts } from './colour-parts.ts';
import { showHidden } from './show-hidden.ts';
import { editorTheme } from './editor-theme.ts';
import { completeFromSchema, type CompletionSources } from './schema-completion.ts';

interface EditorSettings extends CompletionSources {
  label: string;
  describedBy: string;
  isReadOnly: boolean;
  onChange: (text: string) => void;
}

export function editorExtensions({ label, describedBy, isReadOnly, onChange, ...sources }: EditorSettings): Extension {
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
