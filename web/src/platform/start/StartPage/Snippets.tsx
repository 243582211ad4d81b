import { useId, useState } from 'react';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import tabs from '../../../shell/Tabs.module.css';
import page from '../../../ui/Page.module.css';
import { snippetFiles, snippetKinds, writeSnippet, type Connection, type SnippetKind } from './snippets.ts';
import classes from '../Start.module.css';
import { snippets as words } from '../words/words.ts';

/** The same connection for each client, to copy. */
export function Snippets({ connection, first }: { connection: Connection; first: SnippetKind }) {
  const [kind, setKind] = useState<SnippetKind>(first);
  const id = useId();
  const text = writeSnippet(kind, connection);
  const file = snippetFiles[kind];
  return (
    <div className={classes.snippets}>
      <div role="group" aria-label={words.group} className={`${tabs.tabs} ${classes.kinds}`}>
        {snippetKinds.map((choice) => (
          <button
            key={choice}
            type="button"
            className={`${tabs.tab} ${classes.kind}`}
            aria-pressed={choice === kind}
            onClick={() => setKind(choice)}
          >
            {words.kinds[choice]}
          </button>
        ))}
      </div>
      <p id={id} className={page.small}>
        {words.notes[kind]} {file !== null && <code>{file}</code>}
      </p>
      <pre className={classes.code} aria-describedby={id} tabIndex={0}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} />
    </div>
  );
}
