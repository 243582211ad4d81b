import { NativeSelect } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { toolRoutes, type ServerTool, type ToolList } from '#access/keys/contract/key';
import { policyRoutes } from '#policies/contract/routes';
import { call, query } from '../../client/call.ts';
import { useAnnounce } from '../../shell/announcer.tsx';
import { may } from '../../people/roles/permission-table.ts';
import { useSpacesWith } from '../../people/spaces/spaces.ts';
import { useUser } from '../../people/users/use-user.ts';
import { ProblemNotice } from '../../ui/Notice.tsx';
import page from '../../ui/Page.module.css';
import classes from '../../settings/Users.module.css';
import { tools as words, servers } from '../../settings/words/words.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Age } from '../../ui/Moment.tsx';
import { PageHead } from '../../ui/PageHead.tsx';
import { Revealed } from '../../ui/Revealed.tsx';

/** Writes a draft of the policy for one tool. It never publishes: the policy in force changes only when a person publishes. */
function ToolDraft({ server, tool }: { server: string; tool: ServerTool }) {
  const everywhere = may(useUser(), 'write-policies');
  const space = useSpacesWith('write-policies').find(({ servers }) => servers.some(({ name }) => name === server));
  const isInSpace = !everywhere.allowed && space !== undefined;
  const permission = isInSpace ? { allowed: true, reason: null } : everywhere;
  const announce = useAnnounce();
  const save = useMutation({
    mutationFn: (rule: ToolRule) =>
      call(policyRoutes.saveDraft, {
        body: {
          document: toolDocument({ server, tool: tool.name, policy: tool.policyName, rule }),
          ...(isInSpace && { space: space.id }),
        },
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

/** Rules to choose for a tool: it waits for approvers or for the requester, it runs, or it never runs. */
const toolRules = ['require', 'requester', 'allow', 'deny'] as const;
type ToolRule = (typeof toolRules)[number];

interface DraftedTool {
  server: string;
  tool: string;
  policy: string;
  rule: ToolRule;
}

const rules: Record<ToolRule, string> = {
  allow: `# Above medium risk it needs a condition that limits an argument, and an end.
allow: { ceiling: medium }
`,
  requester: `# Asked at their own MCP client, whatever the risk.
confirm: { ceiling: high }
`,
  require: `require:
  stages:
    - name: Approval
      approvers: anyone
`,
  deny: `deny: { reason: An administrator has denied this tool. }
`,
};

/** The document of a policy about this tool alone, which comes before more general ones. */
const toolDocument = ({ server, tool, policy, rule }: DraftedTool): string => `policy: ${policy}
priority: 100

match:
  server: ${JSON.stringify(server)}
  tool: ${JSON.stringify(tool)}

${rules[rule]}`;

const back = { to: '/settings/servers', text: servers.title };

/** One server: its tools, the outcomes of their calls, and the policies. For administrators, and for people of its space. */
export function ServerPage() {
  const { id = '' } = useParams();
  const isInSpace = useSpacesWith('read-tools').some(({ servers: own }) => own.some((server) => server.id === id));
  const everywhere = may(useUser(), 'change-directory');
  const permission = isInSpace ? { allowed: true, reason: null } : everywhere;
  const list = useQuery({ ...query(toolRoutes.listTools, { params: { id } }), enabled: permission.allowed });
  if (permission.allowed) return <Loaded query={list}>{(list) => <Tools key={id} list={list} />}</Loaded>;
  return (
    <div className={page.stack}>
      <PageHead title={servers.title} lead={permission.reason} back={back} />
    </div>
  );
}

function Tools({ list: { server, tools } }: { list: ToolList }) {
  return (
    <div className={page.stack}>
      <PageHead title={server.name} heading={<Revealed text={server.name} />} lead={words.lead} back={back} />
      {tools.length === 0 ? <NoTools /> : <ToolTable server={server.name} tools={tools} />}
      <p className={page.small}>{words.passed}</p>
    </div>
  );
}

const NoTools = () => (
  <div className={page.empty}>
    <h2 className={page.subtitle}>{words.empty}</h2>
    <p>{words.emptyNote}</p>
  </div>
);

const ToolTable = ({ server, tools }: { server: string; tools: ServerTool[] }) => (
  <DataTable
    caption={words.table}
    columns={[
      { head: words.name, isName: true, cell: (tool) => <Name tool={tool} /> },
      { head: words.definition, isLong: true, cell: (tool) => <Definition tool={tool} /> },
      { head: words.outcomes, cell: ({ outcomes }) => countsOf(outcomes) },
      { head: words.rule, isLong: true, cell: ({ rule }) => <Rule rule={rule} /> },
      { head: words.change, isLong: true, cell: (tool) => <ToolDraft server={server} tool={tool} /> },
    ]}
    rows={tools}
    keyOf={({ name }) => name}
  />
);

function Name({ tool: { name, seen } }: { tool: ServerTool }) {
  const { readOnlyHint, destructiveHint } = seen?.annotations ?? {};
  const hint = destructiveHint ? words.destructive : readOnlyHint && words.readOnly;
  return (
    <>
      <Revealed text={name} />
      {hint && <span className={classes.second}>{hint}</span>}
    </>
  );
}

/** Number of digits that people compare; the button copies all. */
const digits = 16;

function Definition({ tool: { seen, request } }: { tool: ServerTool }) {
  if (seen === null) return <span className={page.soft}>{words.unseen}</span>;
  return (
    <div className={classes.side}>
      <span>
        <code className={page.mono} title={seen.definition}>
          {seen.definition.slice(0, digits)}…
        </code>{' '}
        <CopyButton text={seen.definition} />
      </span>
      <span className={page.small}>
        {words.seen} <Age at={seen.at} />
      </span>
      {seen.changed !== null && <Change request={request} />}
    </div>
  );
}

/** Link to the request about the change, where it is read and decided. */
const Change = ({ request }: Pick<ServerTool, 'request'>) => (
  <span>
    <strong>{words.changed}.</strong>{' '}
    {request === null ? words.noRequest : <Link to={`/requests/${request}`}>{words.difference}</Link>}
  </span>
);

const outcomes = ['open', 'accepted', 'declined', 'cancelled', 'expired'] as const;

const countsOf = (counts: ServerTool['outcomes']): string =>
  outcomes
    .filter((outcome) => counts[outcome] > 0)
    .map((outcome) => words.counts[outcome](counts[outcome]))
    .join(', ') || words.noOutcomes;

function Rule({ rule }: Pick<ServerTool, 'rule'>) {
  if (rule === null) return <span className={page.soft}>{words.unknown}</span>;
  return (
    <>
      {rule.varies ? words.varies : words.rules[rule.outcome]}
      <span className={classes.second}>{words.by(rule.policy)}</span>
    </>
  );
}
