import { EditorView } from '@codemirror/view';

/** Our design tokens, which have values for light and dark. */
export const editorTheme = EditorView.theme({
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
