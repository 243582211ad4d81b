import { Button, NativeSelect, Radio, Checkbox } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { outcomes, type RulePart, type Outcome, type PolicyParts, separationNames } from './policy-parts.ts';
import { form as words, choicesOf } from './words/words.ts';
import { type PartProps, TextPart, chooseOutcome, type RuleProps, StageFields, type Edit } from './StageFields.tsx';
import classes from './PolicyForm.module.css';
import { isMap, isNode, isScalar, isSeq, type Document, type Pair, YAMLMap, type YAMLSeq } from 'yaml';
import { personalChannels } from '#notify/chat/contract';

/** The one outcome of the policy, or a list of rules; the first that fits decides. */
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

/** Folded rules, so that their order is visible; one at a time is open. */
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

interface RuleFieldsProps extends RuleProps {
  /** Outcomes to choose from. */
  choices: readonly Outcome[];
}

/** Fields of one rule's outcome. */
function RuleFields(props: RuleFieldsProps) {
  const { outcome, beyond } = props.rule;
  return (
    <>
      <What {...props} />
      {outcome === 'require' && <Stages {...props} />}
      {outcome === 'require' && <LimitFields {...props} />}
      {outcome === 'require' && <NotifyFields {...props} />}
      {beyond.length > 0 && <p className={classes.soft}>{words.beyond(beyond)}</p>}
    </>
  );
}

function What({ rule, choices, edit }: RuleFieldsProps) {
  const { path, outcome: chosen } = rule;
  const choose = (outcome: Outcome) => edit(...chooseOutcome(path, outcome, starts[outcome]));
  return (
    <div className={classes.fields}>
      <Radio.Group label={words.what} value={chosen ?? ''} onChange={(value) => choose(value as Outcome)}>
        <div className={classes.options}>
          {choices.map((outcome) => (
            <Radio key={outcome} value={outcome} label={words.outcomes[outcome]} className={classes.option} />
          ))}
        </div>
      </Radio.Group>
      {chosen === 'deny' && (
        <TextPart
          label={words.reason}
          description={words.reasonNote}
          value={rule.reason}
          onChange={(text) => edit([[...path, 'deny', 'reason'], text])}
        />
      )}
      {chosen === 'retire' && (
        <TextPart
          label={words.retireReason}
          description={words.retireNote}
          value={rule.reason}
          onChange={(text) => edit([[...path, 'retire', 'reason'], text])}
        />
      )}
      {chosen === 'confirm' && (
        <NativeSelect
          label={words.ceiling}
          description={`${words.confirmNote} ${words.ceilingNote}`}
          value={rule.ceiling || 'medium'}
          data={choicesOf(words.ceilings)}
          onChange={({ currentTarget }) => edit([[...path, 'confirm', 'ceiling'], currentTarget.value])}
        />
      )}
      {chosen === 'allow' && (
        <>
          <NativeSelect
            label={words.ceiling}
            description={words.ceilingNote}
            value={rule.ceiling || 'low'}
            data={choicesOf(words.ceilings).filter(({ value }) => value !== 'high')}
            onChange={({ currentTarget }) => edit([[...path, 'allow', 'ceiling'], currentTarget.value])}
          />
          <TextPart
            label={words.sample}
            description={words.sampleNote}
            value={rule.sample}
            onChange={(text) => edit([[...path, 'allow', 'sample'], shareOf(text)])}
          />
        </>
      )}
    </div>
  );
}

/** Writes a share; a plain number is a percentage. */
const shareOf = (text: string): string | undefined => (/^\d+$/.test(text) ? `${text}%` : text || undefined);

/** First content of an outcome. */
export const starts: Record<Outcome, object> = {
  require: { stages: [{ name: words.newStage(1), approvers: { manager: 'requester' } }] },
  confirm: { ceiling: 'medium' },
  allow: { ceiling: 'low' },
  deny: { reason: '' },
  retire: { reason: '' },
};

function Stages({ rule: { path, stages }, names, edit }: RuleProps) {
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
        <Button variant="default" onClick={() => edit([[...path, 'require', 'stages', stages.length], added])}>
          {words.addStage}
        </Button>
      </div>
    </div>
  );
}

/** Adds a rule: at the end, or before a last one without a condition, which takes all remaining requests. */
export function addRule({ rules, isList }: PolicyParts, added: object): { edits: Edit[]; at: number } {
  const at = rules.at(-1)?.when === '' ? rules.length - 1 : rules.length;
  return { edits: [...(isList ? [] : [listRules]), [['rules', rules.length], added], moveRule(rules.length, at)], at };
}

/** Puts a rule at another place of the list, with its comments. */
export const moveRule =
  (from: number, to: number): Edit =>
  (document) => {
    const { items } = rulesOf(document);
    items.splice(to, 0, ...items.splice(from, 1));
  };

/** Removes a rule. A single remaining one without a condition becomes the policy's one outcome again. */
export function removeRule({ rules }: PolicyParts, at: number): Edit[] {
  const [left, another] = rules.toSpliced(at, 1);
  const isLast = left !== undefined && another === undefined && left.when === '';
  return [(document) => rulesOf(document).items.splice(at, 1), ...(isLast ? [unlistRules] : [])];
}

/** Turns the outcome of the policy into the first rule of its list. */
function listRules(document: Document): void {
  const root = document.contents as YAMLMap;
  const entry = new YAMLMap();
  const at = root.items.findIndex(isOutcome);
  const [outcome] = root.items.splice(at, 1, document.createPair('rules', [entry]) as Pair);
  if (outcome === undefined) return;
  moveComment(outcome.key, entry);
  entry.items.push(outcome);
}

function unlistRules(document: Document): void {
  const root = document.contents as YAMLMap;
  const [entry] = rulesOf(document).items;
  const outcome = isMap(entry) ? entry.items.find(isOutcome) : undefined;
  if (outcome === undefined) return;
  moveComment(entry, outcome.key);
  root.items.splice(
    root.items.findIndex(({ key }) => nameOf(key) === 'rules'),
    1,
    outcome,
  );
}

function rulesOf(document: Document): YAMLSeq {
  const rules = document.get('rules');
  if (!isSeq(rules)) throw new TypeError('the policy has no list of rules');
  // The parser leaves the comment above the first rule with the list.
  if (rules.commentBefore) moveComment(rules, rules.items[0]);
  return rules;
}

const nameOf = (key: unknown): unknown => (isScalar(key) ? key.value : key);
const isOutcome = ({ key }: Pair): boolean => outcomes.some((name) => name === nameOf(key));

/** Moves the comment above a rule. */
function moveComment(from: unknown, to: unknown): void {
  if (!isNode(from) || !isNode(to)) return;
  to.commentBefore = from.commentBefore ?? null;
  to.spaceBefore = from.spaceBefore ?? false;
  from.commentBefore = null;
  from.spaceBefore = false;
}

/** Deadline of the people, exclusions from voting, and pace. */
export function LimitFields({ rule, edit }: RuleProps) {
  const path = [...rule.path, 'require'];
  return (
    <fieldset className={classes.fields}>
      <legend className={classes.legend}>{words.limits}</legend>
      <div className={classes.counts}>
        <TextPart
          label={words.deadline}
          description={words.deadlineNote}
          value={rule.deadline}
          onChange={(text) => edit([[...path, 'deadline'], text || undefined])}
        />
        <NativeSelect
          label={words.onTimeout}
          description={words.onTimeoutNote}
          value={rule.onTimeout || 'expire'}
          data={choicesOf(words.timeouts)}
          onChange={({ currentTarget }) => edit([[...path, 'onTimeout'], currentTarget.value])}
        />
      </div>
      <Checkbox.Group
        label={words.separation}
        description={words.separationNote}
        value={separationNames.filter((name) => rule.separation[name])}
        onChange={(chosen) =>
          edit(
            ...separationNames.map((name): Edit => [[...path, 'separation', name], chosen.includes(name) || undefined]),
          )
        }
      >
        <div className={classes.options}>
          {separationNames.map((name) => (
            <Checkbox key={name} value={name} label={words.separations[name]} className={classes.option} />
          ))}
        </div>
      </Checkbox.Group>
      <PaceFields rule={rule} edit={edit} />
    </fieldset>
  );
}

/** Notification of approvers about the requests; without a choice, by each one's settings. */
function NotifyFields({ rule: { path: holder, notify }, edit }: RuleProps) {
  const path = [...holder, 'require', 'notify'];
  const save = (channels: string[], isUrgent: boolean) =>
    channels.length === 0 && !isUrgent
      ? edit([path, undefined])
      : edit(
          [[...path, 'channels'], channels.length === 0 ? undefined : channels],
          [[...path, 'urgent'], isUrgent || undefined],
        );
  return (
    <fieldset className={classes.fields}>
      <legend className={classes.legend}>{words.notify}</legend>
      <Checkbox.Group
        label={words.channels}
        description={words.channelsNote}
        value={notify.channels}
        onChange={(chosen) =>
          save(
            personalChannels.filter((channel) => chosen.includes(channel)),
            notify.isUrgent,
          )
        }
      >
        <div className={classes.row}>
          {personalChannels.map((channel) => (
            <Checkbox key={channel} value={channel} label={words.channelNames[channel]} className={classes.option} />
          ))}
        </div>
      </Checkbox.Group>
      <Checkbox
        label={words.urgent}
        description={words.urgentNote}
        checked={notify.isUrgent}
        onChange={(event) => save(notify.channels, event.currentTarget.checked)}
      />
    </fieldset>
  );
}

const first = { approvals: 10, hasty: 5, within: '5m' };

/** Pause of a person who approves one request after the other. */
function PaceFields({ rule: { path: holder, pace }, edit }: Pick<RuleProps, 'rule' | 'edit'>) {
  const path = [...holder, 'require', 'pace'];
  const setCount = (name: 'approvals' | 'hasty') => (text: string) =>
    edit([[...path, name], text === '' ? undefined : /^\d+$/.test(text) ? Number(text) : text]);
  return (
    <div className={classes.escalation}>
      <Checkbox
        label={words.pace}
        description={words.paceNote}
        checked={pace !== null}
        onChange={(event) => edit([path, event.currentTarget.checked ? first : undefined])}
      />
      {pace !== null && (
        <div className={classes.step}>
          <div className={classes.counts}>
            <TextPart
              label={words.paceApprovals}
              description={words.paceApprovalsNote}
              value={pace.approvals}
              onChange={setCount('approvals')}
            />
            <TextPart
              label={words.paceWithin}
              description={words.paceWithinNote}
              value={pace.within}
              onChange={(text) => edit([[...path, 'within'], text || undefined])}
            />
          </div>
          <TextPart
            label={words.paceHasty}
            description={words.paceHastyNote}
            value={pace.hasty}
            onChange={setCount('hasty')}
          />
        </div>
      )}
    </div>
  );
}
