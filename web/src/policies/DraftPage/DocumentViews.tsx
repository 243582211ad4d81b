import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useId, useRef, useState } from 'react';
import { schemaQuery } from '../policy-queries/policy-queries.ts';
import page from '../../ui/Page.module.css';
import { CheckResult } from './CheckResult.tsx';
import type { YamlEditorHandle } from '../YamlEditor/YamlEditor.tsx';
import { PolicyForm } from './PolicyForm.tsx';
import classes from '../Policies.module.css';
import type { EditedDocument } from './use-document.ts';
import { suggestAt, useKnownNames } from './use-known-names.ts';
import { editor as words } from '../words/words.ts';

const YamlEditor = lazy(async () => ({ default: (await import('../YamlEditor/YamlEditor.tsx')).YamlEditor }));
const none: [] = [];

/** Text and form side by side; on a narrow screen, one of them at a time, and what it says below either. */
export function DocumentViews({ edited }: { edited: EditedDocument }) {
  const [view, setView] = useState<'text' | 'form'>('text');
  const schema = useQuery(schemaQuery).data;
  const names = useKnownNames();
  const handle = useRef<YamlEditorHandle>(null);
  const hint = useId();
  const { parts, text, setText, edit, check, isChecked } = edited;
  return (
    <div className={classes.views} data-view={view}>
      <div role="group" aria-label={words.views} className={classes.switch}>
        {(['text', 'form'] as const).map((choice) => (
          <Button key={choice} variant="default" aria-pressed={view === choice} onClick={() => setView(choice)}>
            {choice === 'text' ? words.asText : words.asForm}
          </Button>
        ))}
      </div>
      <section className={classes.textView}>
        <div className={classes.written}>
          <h2 className={page.subtitle}>{words.textTitle}</h2>
          <p id={hint} className={page.small}>
            {words.textNote}
          </p>
          <Suspense fallback={<Skeleton height={420} aria-label={words.loading} />}>
            <YamlEditor
              ref={handle}
              text={text}
              schema={schema}
              suggest={(path) => suggestAt(names, path)}
              faults={isChecked ? (check.data?.errors ?? none) : none}
              label={words.text}
              describedBy={hint}
              onChange={setText}
            />
          </Suspense>
        </div>
        <CheckResult
          check={check}
          isChecked={isChecked}
          onGoTo={(fault) => {
            setView('text');
            handle.current?.goTo(fault);
          }}
        />
      </section>
      <section className={classes.formView}>
        <h2 className={page.subtitle}>{words.formTitle}</h2>
        {parts === null ? (
          <p className={page.soft}>{words.formBroken}</p>
        ) : (
          <PolicyForm parts={parts} isReadOnly={false} names={names} edit={edit} />
        )}
      </section>
    </div>
  );
}
