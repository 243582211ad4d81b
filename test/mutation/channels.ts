import { faultsOf, type Fault } from './fault.ts';

/** In what proves a click in chat, and in what sends. */
export const channelFaults: Fault[] = [
  ...faultsOf(
    'src/notify/chat/slack/slack.ts',
    ['test/notify/webhooks/slack-signature.test.ts'],
    [
      ['isSigned && Math.abs(', 'Math.abs('],
      ['Math.abs(now / 1000 - Number(timestamp))', '(now / 1000 - Number(timestamp))'],
    ],
  ),
  ...faultsOf(
    'src/notify/chat/msteams/msteams.ts',
    ['test/notify/chat/msteams.test.ts'],
    [
      ["checked.claims['serviceurl'] === activity.serviceUrl", 'true'],
      [' || !checked.endorsements.includes(activity.channelId)', ''],
      ["vote?.member !== '' && ", ''],
      ['tenants.length > 0 && ', ''],
    ],
  ),
  ...faultsOf(
    'src/platform/bearer/tokens.ts',
    ['test/notify/chat/msteams.test.ts'],
    [
      ['{ issuer, audience, clockTolerance', '{ audience, clockTolerance'],
      ['{ issuer, audience, clockTolerance', '{ issuer, clockTolerance'],
      [", requiredClaims: ['exp']", ''],
    ],
  ),
  ...faultsOf(
    'src/platform/nodes/loops/dispatcher.ts',
    ['test/platform/nodes/dispatcher.test.ts'],
    [
      ['failure?.isFinal || ', ''],
      ['failures + 1 >= maxFailures', 'failures >= maxFailures'],
      ['Math.min(failure?.wait ?? 0, maxAskedMs)', '0'],
      ['Math.min(concurrency - items.length, maxPerPlace)', 'maxPerPlace'],
      ['Math.min(concurrency - items.length, maxPerPlace)', 'concurrency - items.length'],
      ['crowded(items, queue, maxPerPlace)', '[]'],
      ['if (isBehind) onCapacity?.();', ''],
    ],
  ),
  ...faultsOf(
    'src/notify/webhooks/channel/webhooks.ts',
    ['test/notify/webhook-client.test.ts'],
    [["sent.once('upgrade'", "sent.once('never'"]],
  ),
  ...faultsOf(
    'src/notify/chat/msteams/msteams.ts',
    ['test/notify/chat/msteams.test.ts'],
    [
      ['.split(/(?<=\\{)(?=\\{(?:DATE|TIME)\\()/i)', '.split(/(?!)/)'],
      ["lines.length > maxLines ? [lines.join(' ⏎ ')] : lines", 'lines'],
    ],
  ),
];
