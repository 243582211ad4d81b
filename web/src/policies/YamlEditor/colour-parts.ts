import { syntaxTree } from '@codemirror/language';
import { RangeSetBuilder, type Extension } from '@codemirror/state';
import { Decoration, ViewPlugin, type DecorationSet, type EditorView, type ViewUpdate } from '@codemirror/view';

const looks: Record<string, Decoration> = {
  Key: Decoration.mark({ class: 'cm-key' }),
  Comment: Decoration.mark({ class: 'cm-comment' }),
};

/** Names and comments stand apart from values. The theme gives the colours. */
export const colourParts: Extension = ViewPlugin.fromClass(
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
