import { Checkbox } from '@mantine/core';
import { risks } from '#requests/asking/contract/elicitation';
import { commaList } from '../../ui/comma-list.ts';
import type { PolicyParts } from '../policy-parts.ts';
import { risks as riskNames } from '../../ui/words/words.ts';
import { form as words } from '../words/words.ts';
import type { FormProps, PartProps } from '../StageFields/form-props.ts';
import classes from '../PolicyForm.module.css';
import { Rules } from '../Rules/Rules.tsx';
import { TextPart } from '../StageFields/TextPart.tsx';

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
      <Rules {...props} />
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
