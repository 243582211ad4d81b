import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import unseen from '../../../shell/Unseen.module.css';
import classes from '../AnswerForm.module.css';
import { FieldControl } from './FieldControl.tsx';
import type { AnswerState } from '../use-answer/use-answer.ts';
import { decide as words } from '../words/words.ts';

/** A control for each field of the tool's form. Nothing here submits: a decision is always a pressed verb. */
export function AnswerForm({ answer, isAnswerable }: { answer: AnswerState; isAnswerable: boolean }) {
  const { schema, isBroken } = answer.form;
  const fields = Object.entries(schema.properties);
  if (isBroken) return <p>{words.formBroken}</p>;
  if (fields.length === 0) return null;
  return (
    <fieldset className={classes.form} disabled={!isAnswerable}>
      <legend className={schema.title === undefined ? unseen.unseen : classes.legend}>
        {schema.title === undefined ? words.form : <Revealed text={schema.title} />}
      </legend>
      {schema.description !== undefined && (
        <p className={classes.description}>
          <Revealed text={schema.description} />
        </p>
      )}
      {fields.map(([name, field]) => (
        <FieldControl
          key={name}
          name={name}
          field={field}
          isRequired={schema.required?.includes(name) === true}
          value={Object.hasOwn(answer.draft, name) ? (answer.draft[name] ?? '') : ''}
          fault={answer.faultOf(name)}
          onChange={(value) => answer.setField(name, value)}
          onLeave={() => answer.touch(name)}
        />
      ))}
    </fieldset>
  );
}
