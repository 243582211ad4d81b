import { Button, Checkbox, NativeSelect, Radio } from '@mantine/core';
import { risks } from '#protocol/model/elicitation';
import { commaList } from '../../../lib/comma-list.ts';
import { chooseOutcome } from '../text/choose-outcome.ts';
import { outcomes, type Outcome, type PolicyParts } from '../text/policy-parts.ts';
import { risks as riskNames } from '../../../ui/words/words.ts';
import { choicesOf, form as words } from '../text/words.ts';
import type { FormProps, PartProps } from './form-props.ts';
import { LimitFields } from './LimitFields.tsx';
import { NotifyFields } from './NotifyFields.tsx';
import classes from './PolicyForm.module.css';
import { StageFields } from './StageFields.tsx';
import { TextPart } from './TextPart.tsx';

interface PolicyFormProps extends FormProps {
  parts: PolicyParts;
  isReadOnly: boolean;
}

/** The same policy as the text next to it, in controls. Every change is one edit of that text. */
export function PolicyForm({ parts, isReadOnly, names, edit }: PolicyFormProps) {
  const props = { parts, names, edit };
  return (
    <fieldset disabled={isReadOnly} className={classes.form} aria-label={words.label}>
      <Names {...props} />
      <Which {...props} />
      {parts.rules === null ? <What {...props} /> : <p>{words.severalRules(parts.rules)}</p>}
      {parts.outcome === 'require' && <Stages {...props} />}
      {parts.outcome === 'require' && <LimitFields {...props} />}
      {parts.outcome === 'require' && <NotifyFields {...props} />}
      {parts.beyond.length > 0 && <p className={classes.soft}>{words.beyond(parts.beyond)}</p>}
    </fieldset>
  );
}

function Names({ parts, edit }: PartProps) {
  return (
    <div className={classes.fields}>
      <TextPart
        label={words.name}
        description={words.nameNote}
        value={parts.policy}
        isMono
        onChange={(text) => edit([['policy'], text])}
      />
      <TextPart
        label={words.description}
        value={parts.description}
        isLong
        onChange={(text) => edit([['description'], text || undefined])}
      />
    </div>
  );
}

function Which({ parts, names, edit }: PartProps) {
  const setNames = (name: 'server' | 'tool') => (text: string) => edit([['match', name], writeNames(text)]);
  const setPriority = (text: string) =>
    edit([['priority'], text === '' ? undefined : /^-?\d+$/.test(text) ? Number(text) : text]);
  return (
    <fieldset className={classes.fields}>
      <legend className={classes.legend}>{words.which}</legend>
      <TextPart
        label={words.server}
        description={words.namesNote}
        value={parts.server.join(', ')}
        suggestions={names.servers}
        isMono
        onChange={setNames('server')}
      />
      <TextPart
        label={words.tool}
        description={words.namesNote}
        value={parts.tool.join(', ')}
        isMono
        onChange={setNames('tool')}
      />
      <Checkbox.Group
        label={words.risk}
        description={words.riskNote}
        value={parts.risk}
        onChange={(chosen) =>
          edit([['match', 'risk'], chosen.length === 0 ? undefined : risks.filter((risk) => chosen.includes(risk))])
        }
      >
        <div className={classes.row}>
          {risks.map((risk) => (
            <Checkbox key={risk} value={risk} label={riskNames[risk]} className={classes.option} />
          ))}
        </div>
      </Checkbox.Group>
      <TextPart
        label={words.when}
        description={words.whenNote}
        value={parts.when}
        isMono
        onChange={(text) => edit([['when'], text || undefined])}
      />
      <TextPart label={words.priority} description={words.priorityNote} value={parts.priority} onChange={setPriority} />
    </fieldset>
  );
}

/** Nothing means any; one name stands alone. */
function writeNames(text: string): string | string[] | undefined {
  const names = commaList(text);
  return names.length <= 1 ? names[0] : names;
}

function What({ parts, edit }: PartProps) {
  const choose = (outcome: Outcome) => edit(...chooseOutcome(outcome, starts[outcome]));
  return (
    <div className={classes.fields}>
      <Radio.Group label={words.what} value={parts.outcome ?? ''} onChange={(value) => choose(value as Outcome)}>
        <div className={classes.options}>
          {outcomes.map((outcome) => (
            <Radio key={outcome} value={outcome} label={words.outcomes[outcome]} className={classes.option} />
          ))}
        </div>
      </Radio.Group>
      {parts.outcome === 'deny' && (
        <TextPart
          label={words.reason}
          description={words.reasonNote}
          value={parts.reason}
          onChange={(text) => edit([['deny', 'reason'], text])}
        />
      )}
      {parts.outcome === 'retire' && (
        <TextPart
          label={words.retireReason}
          description={words.retireNote}
          value={parts.reason}
          onChange={(text) => edit([['retire', 'reason'], text])}
        />
      )}
      {parts.outcome === 'confirm' && (
        <NativeSelect
          label={words.ceiling}
          description={`${words.confirmNote} ${words.ceilingNote}`}
          value={parts.ceiling || 'medium'}
          data={choicesOf(words.ceilings)}
          onChange={({ currentTarget }) => edit([['confirm', 'ceiling'], currentTarget.value])}
        />
      )}
      {parts.outcome === 'allow' && (
        <>
          <NativeSelect
            label={words.ceiling}
            description={words.ceilingNote}
            value={parts.ceiling || 'low'}
            data={choicesOf(words.ceilings).filter(({ value }) => value !== 'high')}
            onChange={({ currentTarget }) => edit([['allow', 'ceiling'], currentTarget.value])}
          />
          <TextPart
            label={words.sample}
            description={words.sampleNote}
            value={parts.sample}
            onChange={(text) => edit([['allow', 'sample'], shareOf(text)])}
          />
        </>
      )}
    </div>
  );
}

/** A number alone is meant as a percentage. */
const shareOf = (text: string): string | undefined => (/^\d+$/.test(text) ? `${text}%` : text || undefined);

const starts: Record<Outcome, object> = {
  require: { stages: [{ name: words.newStage(1), approvers: { manager: 'requester' } }] },
  confirm: { ceiling: 'medium' },
  allow: { ceiling: 'low' },
  deny: { reason: '' },
  retire: { reason: '' },
};

function Stages({ parts: { stages }, names, edit }: PartProps) {
  const added = {
    name: words.newStage(stages.length + 1),
    approvers: names.groups[0] === undefined ? 'anyone' : { group: names.groups[0] },
  };
  return (
    <div className={classes.stages}>
      {stages.map((stage, at) => (
        <StageFields key={at} stage={stage} number={at + 1} isOnly={stages.length === 1} names={names} edit={edit} />
      ))}
      <div>
        <Button variant="default" onClick={() => edit([['require', 'stages', stages.length], added])}>
          {words.addStage}
        </Button>
      </div>
    </div>
  );
}
