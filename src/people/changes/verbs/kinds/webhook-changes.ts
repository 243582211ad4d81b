import { addWebhook, type NewWebhook } from '#notify/webhooks/verbs';
import { changeKind } from './change-kind.ts';

/** A webhook. Who asked for it has seen its secret; nothing is sent to it before a second administrator accepts. */
export const addingWebhook = changeKind({
  title: 'Add a webhook',
  act: addWebhook,
  facts: (_directory, change: NewWebhook) => change,
  changeIn: (facts) => facts,
  say: ({ url, format }) =>
    `Tell ${url} (${format}) of every request that waits for people: its server, tool, policy, risk and state.`,
});
