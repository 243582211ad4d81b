import type { Labelled, ShownInChat } from '../../verbs/show/show-in-chat.ts';
import { chatWords, type ChatWords } from '#messages/chat-words';
import { escapeText, type SlackMessage } from './slack-client.ts';

/** A request as a Slack message. All text is in `rich_text`, which Slack takes literally. */
export function slackMessage(shown: ShownInChat): SlackMessage {
  const { title, call, facts, deadlineAt, content, vote, note, url } = shown;
  const words = chatWords[shown.language];
  return {
    text: escapeText(`${title}: ${call}`),
    blocks: [
      { type: 'rich_text', elements: [line([bold(title)])] },
      {
        type: 'rich_text',
        elements: [...facts.map(factLine), ...(deadlineAt === null ? [] : [deadline(deadlineAt, words)])],
      },
      ...(content ?? []).map(contentBlock),
      ...(note === null ? [] : [{ type: 'rich_text', elements: [line([plain(note)])] }]),
      ...(vote ? [reasonBlock(words)] : []),
      {
        type: 'actions',
        elements: [...(vote ? voteButtons(JSON.stringify(vote), words) : []), openButton(url, words)],
      },
    ],
  };
}

/** A reminder: names, deadline, and where to decide. */
export function slackReminder({ language, call, deadlineAt, url }: ShownInChat): SlackMessage {
  const words = chatWords[language];
  return {
    text: escapeText(`${words.reminder}: ${call}`),
    blocks: [
      {
        type: 'rich_text',
        elements: [
          line([bold(`${words.reminder}: `), plain(`${call}\n`)]),
          ...(deadlineAt === null ? [] : [deadline(deadlineAt, words)]),
        ],
      },
      { type: 'actions', elements: [openButton(url, words)] },
    ],
  };
}

const plain = (text: string) => ({ type: 'text', text });
const bold = (text: string) => ({ type: 'text', text, style: { bold: true } });
const line = (elements: object[]) => ({ type: 'rich_text_section', elements });

/** Each line of a block needs a line end. */
const factLine = ({ label, text }: Labelled) => line([bold(`${label}: `), plain(`${text}\n`)]);

const deadline = (at: number, { labels }: ChatWords) =>
  line([
    bold(`${labels.until}: `),
    {
      type: 'date',
      timestamp: Math.floor(at / 1000),
      format: '{date_short_pretty} {time}',
      fallback: new Date(at).toISOString(),
    },
  ]);

/** Text from people and tools, with hidden characters made visible. */
const contentBlock = ({ label, text }: Labelled) => ({
  type: 'rich_text',
  elements: [line([bold(label)]), { type: 'rich_text_preformatted', elements: [plain(text === '' ? ' ' : text)] }],
});

/** A click on the button sends its value. */
const reasonBlock = ({ reasonToDecline }: ChatWords) => ({
  type: 'input',
  block_id: 'reason',
  optional: true,
  label: { type: 'plain_text', text: reasonToDecline },
  element: { type: 'plain_text_input', action_id: 'reason', multiline: true, max_length: 3000 },
});

const voteButtons = (value: string, words: ChatWords) => [
  { ...button('accept', words.accept), value },
  { ...button('decline', words.decline), value },
];

const openButton = (url: string, words: ChatWords) => ({ ...button('open', words.open), url });

const button = (action: string, text: string) => ({
  type: 'button',
  action_id: action,
  text: { type: 'plain_text', text },
});
