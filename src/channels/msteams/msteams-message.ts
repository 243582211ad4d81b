import type { Labelled, ShownInChat } from '../../engine/chat/show-in-chat.ts';
import { timeIn } from '../parts/time-in.ts';

/** A request as a message in Microsoft Teams: an adaptive card. Its text runs take no Markdown. */
export const teamsMessage = ({ title, call, facts, deadlineAt, content, vote, note, url }: ShownInChat): object =>
  message(
    `${title}: ${call}`,
    [
      paragraph([bold(title)]),
      ...[...facts, ...until(deadlineAt)].map(fact),
      ...(content ?? []).flatMap(contentOf),
      ...(note === null ? [] : [paragraph(plain(note))]),
      ...(vote ? [reasonInput] : []),
    ],
    [...(vote ? [voteAction('accept', 'Approve', vote), voteAction('decline', 'Decline', vote)] : []), openAction(url)],
  );

/** A reminder: names, deadline, and where to decide. */
export const teamsReminder = ({ call, deadlineAt, url }: ShownInChat): object =>
  message(
    `Still waiting: ${call}`,
    [paragraph([bold('Still waiting: '), ...plain(call)]), ...until(deadlineAt).map(fact)],
    [openAction(url)],
  );

const message = (summary: string, body: object[], actions: object[]): object => ({
  type: 'message',
  summary,
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      content: {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.4',
        body,
        actions,
      },
    },
  ],
});

const paragraph = (inlines: object[]): object => ({ type: 'RichTextBlock', inlines });

const run = (text: string): object => ({ type: 'TextRun', text });

/** Cards replace `{{DATE(…)}}` and `{{TIME(…)}}`, so no run has both braces of one. */
const plain = (text: string): object[] => text.split(/(?<=\{)(?=\{(?:DATE|TIME)\()/i).map(run);

const bold = (text: string): object => ({ ...run(text), weight: 'Bolder' });

const fact = ({ label, text }: Labelled): object => paragraph([bold(`${label}: `), ...plain(text)]);

const until = (at: number | null): Labelled[] => (at === null ? [] : [{ label: 'Until', text: timeIn(at, 'en') }]);

/** Text from people and tools, with hidden characters made visible. */
const contentOf = ({ label, text }: Labelled): object[] => [
  paragraph([bold(label)]),
  ...linesOf(text).map((line) => paragraph(plain(line || ' ').map((part) => ({ ...part, fontType: 'Monospace' })))),
];

/** A message has a limit of bytes, so more lines stand in one paragraph with their ends marked. */
const maxLines = 100;

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  return lines.length > maxLines ? [lines.join(' ⏎ ')] : lines;
}

/** A click on a button sends its value. */
const reasonInput = {
  type: 'Input.Text',
  id: 'reason',
  label: 'Reason (required to decline)',
  isMultiline: true,
  maxLength: 3000,
};

const voteAction = (verb: 'accept' | 'decline', title: string, data: object): object => ({
  type: 'Action.Execute',
  title,
  verb,
  data,
});

const openAction = (url: string): object => ({ type: 'Action.OpenUrl', title: 'Open in the console', url });
