import { Button, NativeSelect } from '@mantine/core';
import { useMemo } from 'react';
import { definitionTool } from '#platform/model/names';
import { isMultiSelect } from '#platform/form/schema';
import { LookedServer, lookGroups, type LookedTool } from '#policies/contract/look';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import { may } from '../../people/roles/permission-table.ts';
import { useUser } from '../../people/users/use-user.ts';
import { Revealed } from '../../ui/Revealed.tsx';
import { firstLook as words } from './words/look-words.ts';
import classes from './LookSection.module.css';
import type { AnswerState } from './use-answer.ts';

type Choice = 'believe' | 'hold' | 'block';
const choices = ['believe', 'hold', 'block'] as const;

/** Tools of a server that no one has seen; null for any other request. */
export function useLook({ tool, arguments: json }: ElicitationDetail): LookedTool[] | null {
  return useMemo(() => {
    const read = tool.name === definitionTool ? LookedServer.safeParse(JSON.parse(json)) : null;
    return read?.success ? read.data.tools : null;
  }, [tool.name, json]);
}

interface LookProps {
  tools: LookedTool[];
  answer: AnswerState;
  isAnswerable: boolean;
}

/** What each tool may do from now on, by group with one tap or tool by tool. The answer is the form's two lists. */
export function LookForm({ tools, answer, isAnswerable }: LookProps) {
  const mayPublish = may(useUser(), 'publish-policies').allowed;
  const listOf = (name: string): string[] => {
    const value = Object.hasOwn(answer.draft, name) ? answer.draft[name] : [];
    return Array.isArray(value) ? value : [];
  };
  const field = answer.form.schema.properties['believe'];
  const offered = field && isMultiSelect(field) && 'enum' in field.items ? field.items.enum : [];
  const [believed, blocked] = [listOf('believe'), listOf('block')];
  const choiceOf = (name: string): Choice =>
    blocked.includes(name) ? 'block' : believed.includes(name) ? 'believe' : 'hold';
  const choose = (names: string[], choice: Choice): void => {
    const without = (list: string[]): string[] => list.filter((name) => !names.includes(name));
    answer.setFields({
      believe: [...without(believed), ...(choice === 'believe' ? names.filter((name) => offered.includes(name)) : [])],
      block: [...without(blocked), ...(choice === 'block' ? names : [])],
    });
  };
  return (
    <fieldset className={classes.look} disabled={!isAnswerable}>
      <legend className={classes.lead}>{words.lead}</legend>
      {!mayPublish && <p className={classes.soft}>{words.forPublishers}</p>}
      {lookGroups.map((group) => {
        const own = tools.filter((tool) => tool.group === group);
        const names = own.map(({ name }) => name);
        if (own.length === 0) return null;
        return (
          <section key={group} aria-label={words.groups[group]} className={classes.group}>
            <div className={classes.head}>
              <h3 className={classes.title}>
                {words.groups[group]} ({own.length})
              </h3>
              <div className={classes.all}>
                {choices
                  .filter((choice) => choice !== 'believe' || group === 'reads' || group === 'unsure')
                  .map((choice) => (
                    <Button key={choice} variant="default" size="compact-sm" onClick={() => choose(names, choice)}>
                      {words.all(words.choices[choice])}
                    </Button>
                  ))}
              </div>
            </div>
            <ul className={classes.tools}>
              {own.map(({ name, because, word }) => (
                <li key={name} className={classes.tool}>
                  <div className={classes.what}>
                    <code>
                      <Revealed text={name} />
                    </code>
                    <p className={classes.soft}>
                      <Revealed text={words.because(because, word)} />
                    </p>
                  </div>
                  <NativeSelect
                    aria-label={words.answerFor(name)}
                    value={choiceOf(name)}
                    data={choices
                      .filter((choice) => choice !== 'believe' || offered.includes(name))
                      .map((choice) => ({ value: choice, label: words.choices[choice] }))}
                    onChange={({ currentTarget: { value } }) => choose([name], value as Choice)}
                  />
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </fieldset>
  );
}
