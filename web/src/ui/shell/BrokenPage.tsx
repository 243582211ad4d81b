import { Button } from '@mantine/core';
import { Notice } from '../Notice.tsx';
import { PlainPage } from './PlainPage.tsx';
import { problems } from '../words/words.ts';

/** What is shown if a page could not be drawn at all. */
export function BrokenPage() {
  return (
    <PlainPage>
      <h1>{problems.broken}</h1>
      <Notice tone="danger" title={problems.brokenNote}>
        <Button variant="default" onClick={() => location.reload()}>
          {problems.reload}
        </Button>
      </Notice>
    </PlainPage>
  );
}
