import type { ReactNode } from 'react';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import { VerifiedMark } from '../../../ui/marks.tsx';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import classes from '../Facts.module.css';
import { PartEnd, partStart } from './PartEnd.tsx';
import { Section } from '../Section.tsx';
import { requesterPart } from '../use-answer/parts-to-see.ts';
import { nameHints, who } from '../words/words.ts';

export function WhoAsks({ detail: { server, tool, requester, audience } }: { detail: ElicitationDetail }) {
  const hints = tool.annotations === null ? '' : nameHints(tool.annotations);
  return (
    <Section title={who.title}>
      <dl className={classes.facts}>
        <Fact name={who.requester}>
          <span {...partStart(requesterPart)}>
            <Revealed text={requester.subject} />
          </span>{' '}
          <VerifiedMark requester={requester} />
          <PartEnd of={requesterPart} />
        </Fact>
        <Fact name={who.client}>
          <Client client={requester.client} />
        </Fact>
        <Fact name={who.server}>
          <Revealed text={server} />
        </Fact>
        {tool.description !== null && (
          <Fact name={who.tool}>
            <Revealed text={tool.description} />
          </Fact>
        )}
        {hints !== '' && <Fact name={who.hints}>{hints}</Fact>}
        <Fact name={who.audience}>{who.audiences[audience]}</Fact>
      </dl>
    </Section>
  );
}

function Client({ client }: { client: ElicitationDetail['requester']['client'] }) {
  if (client === null) return who.noClient;
  const text = client.version === undefined ? client.name : `${client.name} ${client.version}`;
  return (
    <>
      <Revealed text={text} /> <span className={classes.soft}>{who.clientNote}</span>
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt className={classes.name}>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
