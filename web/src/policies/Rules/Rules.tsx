import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { addRule, moveRule, removeRule } from './edit-rules.ts';
import { outcomes, type RulePart } from '../policy-parts.ts';
import { form as words } from '../words/words.ts';
import type { PartProps } from '../StageFields/form-props.ts';
import classes from '../PolicyForm.module.css';
import { RuleFields, starts } from './RuleFields.tsx';
import { TextPart } from '../StageFields/TextPart.tsx';

/** The one outcome of the policy, or a list of rules of which the first that fits decides. */
export function Rules(props: PartProps) {
  const { parts, names, edit } = props;
  const { rules, isList } = parts;
  const [open, setOpen] = useState<number | null>(null);
  const adding = useRef<HTMLButtonElement>(null);
  const add = () => {
    const { edits, at } = addRule(parts, { when: 'request.args.amount > 1000', require: starts.require });
    edit(...edits);
    setOpen(at);
  };
  const remove = (at: number) => {
    edit(...removeRule(parts, at));
    setOpen(null);
    adding.current?.focus();
  };
  const only = rules[0];
  return (
    <>
      {isList ? (
        <RuleList {...props} open={open} setOpen={setOpen} remove={remove} />
      ) : (
        only && <RuleFields rule={only} choices={outcomes} names={names} edit={edit} />
      )}
      {(isList || (only?.outcome !== null && only?.outcome !== 'retire')) && (
        <div className={classes.fields}>
          {!isList && <p className={classes.soft}>{words.addRuleNote}</p>}
          <div>
            <Button ref={adding} variant="default" onClick={add}>
              {words.addRule}
            </Button>
          </div>
        </div>
      )}
    </>
  );
}

interface RuleListProps extends PartProps {
  open: number | null;
  setOpen: (next: number | null | ((before: number | null) => number | null)) => void;
  remove: (at: number) => void;
}

/** Folded, so that their order is seen at once; one at a time is open. */
function RuleList({ parts: { rules }, names, edit, open, setOpen, remove }: RuleListProps) {
  const [moved, setMoved] = useState<number | null>(null);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (moved === null) return;
    list.current?.querySelectorAll('summary')[moved]?.focus();
    setMoved(null);
  }, [moved]);
  const move = (at: number, to: number) => {
    edit(moveRule(at, to));
    setOpen(to);
    setMoved(to);
  };
  return (
    <fieldset className={classes.fields}>
      <legend className={classes.legend}>{words.rules}</legend>
      <p className={classes.soft}>{words.rulesNote}</p>
      <div ref={list} className={classes.rules}>
        {rules.map((rule, at) => (
          <details
            key={at}
            className={classes.rule}
            open={open === at}
            onToggle={({ currentTarget }) =>
              setOpen((before) => (currentTarget.open ? at : before === at ? null : before))
            }
          >
            <RuleSummary rule={rule} number={at + 1} isLast={at === rules.length - 1} />
            <div role="group" aria-label={words.rule(at + 1)} className={classes.form}>
              <TextPart
                label={words.when}
                description={words.ruleWhenNote}
                value={rule.when}
                isMono
                onChange={(text) => edit([[...rule.path, 'when'], text || undefined])}
              />
              <RuleFields rule={rule} choices={outcomesOfRules} names={names} edit={edit} />
              <div className={classes.row}>
                {at > 0 && (
                  <Button variant="default" size="compact-sm" onClick={() => move(at, at - 1)}>
                    {words.moveUp}
                  </Button>
                )}
                {at < rules.length - 1 && (
                  <Button variant="default" size="compact-sm" onClick={() => move(at, at + 1)}>
                    {words.moveDown}
                  </Button>
                )}
                {rules.length > 1 && (
                  <Button variant="subtle" color="gray" size="compact-sm" onClick={() => remove(at)}>
                    {words.removeRule(at + 1)}
                  </Button>
                )}
              </div>
            </div>
          </details>
        ))}
      </div>
    </fieldset>
  );
}

const outcomesOfRules = outcomes.filter((outcome) => outcome !== 'retire');

function RuleSummary({ rule, number, isLast }: { rule: RulePart; number: number; isLast: boolean }) {
  const { when, outcome } = rule;
  return (
    <summary>
      <span className={classes.ruleTitle}>{words.rule(number)}</span>
      {outcome !== null && <span>{words.outcomes[outcome]}</span>}
      {when === '' ? (
        <span className={classes.condition}>{isLast ? words.otherwise : words.always}</span>
      ) : (
        <code className={classes.condition}>{when}</code>
      )}
    </summary>
  );
}
