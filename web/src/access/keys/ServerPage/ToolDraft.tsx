import { NativeSelect } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { ServerTool } from '#access/keys/contract/key';
import { saveDraft } from '../../../policies/policies.ts';
import { useAnnounce } from '../../../shell/use-hotkeys/announcer.tsx';
import { may } from '../../../people/roles/permission-table.ts';
import { useSpacesWith } from '../../../people/spaces/spaces/space-permission.ts';
import { useUser } from '../../../people/users/use-user.ts';
import { ProblemNotice } from '../../../ui/Notice/Notice.tsx';
import page from '../../../ui/Page.module.css';
import classes from '../../../settings/Users.module.css';
import { tools as words } from '../../../settings/words/words.ts';
import { toolDocument, toolRules, type ToolRule } from './tool-draft.ts';

/** Writes a draft of the policy for one tool. It never publishes: what holds changes only when someone does. */
export function ToolDraft({ server, tool }: { server: string; tool: ServerTool }) {
  const everywhere = may(useUser(), 'write-policies');
  const space = useSpacesWith('write-policies').find(({ servers }) => servers.some(({ name }) => name === server));
  const isInSpace = !everywhere.allowed && space !== undefined;
  const permission = isInSpace ? { allowed: true, reason: null } : everywhere;
  const announce = useAnnounce();
  const save = useMutation({
    mutationFn: (rule: ToolRule) =>
      saveDraft({
        document: toolDocument({ server, tool: tool.name, policy: tool.policyName, rule }),
        ...(isInSpace && { space: space.id }),
      }),
    onSuccess: () => announce(words.drafted),
  });
  const isDestructive = tool.seen?.annotations.destructiveHint === true;
  const choices = toolRules.map((rule) => {
    const isBarred = rule === 'allow' && isDestructive;
    return { value: rule, label: isBarred ? words.freeLater : words.rules[rule], disabled: isBarred };
  });
  return (
    <div className={classes.side}>
      <NativeSelect
        aria-label={words.changeOf(tool.name)}
        value={save.variables ?? ''}
        disabled={save.isPending || !permission.allowed}
        description={permission.reason}
        inputWrapperOrder={['input', 'description']}
        data={[{ value: '', label: words.choose, disabled: true }, ...choices]}
        onChange={({ currentTarget: { value } }) => save.mutate(value as ToolRule)}
      />
      {save.isError && <ProblemNotice error={save.error} />}
      {save.data && (
        <p className={page.small}>
          {words.drafted}{' '}
          <Link to={`/policies/${save.data.name}?version=${save.data.version}`}>
            {words.openDraft(`${save.data.name}@${save.data.version}`)}
          </Link>
        </p>
      )}
    </div>
  );
}
