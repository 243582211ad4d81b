import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import { changedParts } from '../words/url-facts/changed-parts.ts';
import { Notice } from '../../../ui/Notice/Notice.tsx';
import { partStart } from './PartEnd.tsx';
import type { Reading } from '../use-answer/use-reading.ts';
import { changed } from '../words/words.ts';

export function ChangedNotice({ reading, detail }: { reading: Reading; detail: ElicitationDetail }) {
  const parts = changedParts(reading.read, detail);
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    notice.current?.scrollIntoView({ block: 'center' });
  }, [detail.digest]);
  return (
    <div role="alert" {...partStart('changed')}>
      <Notice tone="warn" title={changed.title} ref={notice}>
        <p>
          {parts.length > 0 && changed.changes(parts.map((part) => changed.parts[part]))}
          {changed.note}
        </p>
        <Button variant="default" onClick={() => reading.confirm()}>
          {changed.confirm}
        </Button>
      </Notice>
    </div>
  );
}
