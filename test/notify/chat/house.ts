import type { ServerOptions } from '#server/server';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import { publish, setUser } from '../../support/requests/policies.ts';
import { until } from '../../support/poll.ts';
import { startTwoNodes, type TwoNodes } from '../../support/nodes/two-nodes.ts';
import { startFakeSlack, type FakeSlack, type Posted } from './fake-slack.ts';

/** Two nodes that tell one Slack, with people who are members there. */
export interface ChatHouse extends TwoNodes {
  slack: FakeSlack;
  admin: Browser;
  ada: Browser;
  grace: Browser;
  /** Asks for this tool; its messages once each was told all there is. */
  ask(tool: string, parts?: Record<string, unknown>): Promise<{ id: string; digest: string; messages: Posted[] }>;
  /** Waits until each message about this request shows what it is now. */
  told(id: string): Promise<Posted[]>;
}

export const members = { ada: 'U0ADALOVE', grace: 'U0GRACEHO', nobody: 'U0NOBODY1' };

export async function openChatHouse(policies: string[], options: Partial<ServerOptions> = {}): Promise<ChatHouse> {
  const slack = await startFakeSlack();
  const two = await startTwoNodes({ slack: slack.config, ...options });
  const [node] = two.nodes;
  const [admin, ada, grace] = await Promise.all([
    openBrowser(node, 'admin'),
    openBrowser(node),
    openBrowser(node),
  ] as const);
  await setUser(node, ada, { chatMember: members.ada, name: 'Ada' });
  await setUser(node, grace, { chatMember: members.grace, name: 'Grace' });
  await publish(node, ...policies);
  const messagesOf: ChatHouse['told'] = async (id) => {
    await until(async () => (await two.query(waiting, [id]))[0] === false);
    return slack.about(id);
  };
  return {
    ...two,
    slack,
    admin,
    ada,
    grace,
    told: messagesOf,
    async ask(tool, parts) {
      const { id, digest } = await two.asking.open({ tool: { name: tool }, ...parts });
      return { id, digest, messages: await messagesOf(id) };
    },
    async stop() {
      await two.stop();
      await slack.stop();
    },
  };
}

const waiting = `
  SELECT EXISTS (SELECT FROM chat_request r JOIN elicitation e ON e.id = r.elicitation_id
                  WHERE e.id = $1 AND r.planned < e.version)
      OR EXISTS (SELECT FROM chat_message WHERE elicitation_id = $1 AND shown < wanted)`;

/** Asks everyone who may vote, unless its stages are told. */
export const policy = (name: string, terms: string, stages = '[{ name: Approval, approvers: anyone }]'): string =>
  `policy: ${name}\nmatch: { tool: ${name} }\nrequire: { stages: ${stages}, ${terms} }\n`;
