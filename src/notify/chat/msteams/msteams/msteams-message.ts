import type { Labelled, ShownInChat } from '../../verbs/show/show-in-chat.ts';
import { chatWords, type ChatWords } from '#messages/chat-words';
import { timeIn } from '../../../channel/text/time-in.ts';

/** A request as a message in Microsoft Teams: an adaptive card. Its text runs take no Markdown. */
export function teamsMessage(shown: ShownInChat): object {
  const { title, call, facts, content, vote, note, url } = shown;
  const words = chatWords[shown.language];
  const body = [
    paragraph([bold(title)]),
    ...[...facts, ...until(shown)].map(fact),
    ...(content ?? []).flatMap(contentOf),
    ...(note === null ? [] : [paragraph(plain(note))]),
    ...(vote ? [reasonInput(words)] : []),
  ];
  const votes = vote ? [voteAction('accept', words.accept, vote), voteAction('decline', words.decline, vote)] : [];
  return message(`${title}: ${call}`, body, [...votes, openAction(words.open, url)]);
}

/** A reminder: names, deadline, and where to decide. */
export function teamsReminder(shown: ShownInChat): object {
  const { call, url } = shown;
  const { reminder, open } = chatWords[shown.language];
  const body = [paragraph([bold(`${reminder}: `), ...plain(call)]), ...until(shown).map(fact)];
  return message(`${reminder}: ${call}`, body, [openAction(open, url)]);
}

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

const until = ({ deadlineAt: at, language }: ShownInChat): Labelled[] =>
  at === null ? [] : [{ label: chatWords[language].labels.until, text: timeIn(at, language) }];

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
const reasonInput = ({ reasonToDecline }: ChatWords): object => ({
  type: 'Input.Text',
  id: 'reason',
  label: reasonToDecline,
  isMultiline: true,
  maxLength: 3000,
});

const voteAction = (verb: 'accept' | 'decline', title: string, data: object): object => ({
  type: 'Action.Execute',
  title,
  verb,
  data,
});

const openAction = (title: string, url: string): object => ({ type: 'Action.OpenUrl', title, url });
