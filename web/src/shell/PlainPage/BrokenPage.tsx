import { Button } from '@mantine/core';
import { Notice } from '../../ui/Notice/Notice.tsx';
import { PlainPage } from './PlainPage.tsx';
import { problems } from '../../ui/words/words.ts';

/** What is shown if the console could not be drawn at all. */
export function BrokenPage() {
  return (
    <PlainPage>
      <BrokenPart />
    </PlainPage>
  );
}

/** What is shown in the place of a page that could not be loaded or drawn. */
export function BrokenPart() {
  return (
    <div role="alert">
      <h1>{problems.broken}</h1>
      <Notice tone="danger" title={problems.brokenNote}>
        <Button variant="default" onClick={() => location.reload()}>
          {problems.reload}
        </Button>
      </Notice>
    </div>
  );
}
