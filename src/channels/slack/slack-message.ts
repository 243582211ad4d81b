import type { Labelled, ShownInChat } from '../../engine/chat/show-in-chat.ts';
import { escapeText, type SlackMessage } from './slack-client.ts';

/** A request as a Slack message. All text is in `rich_text`, which Slack takes literally. */
export function slackMessage({ title, call, facts, deadlineAt, content, vote, note, url }: ShownInChat): SlackMessage {
  return {
    text: escapeText(`${title}: ${call}`),
    blocks: [
      { type: 'rich_text', elements: [line([bold(title)])] },
      { type: 'rich_text', elements: [...facts.map(factLine), ...(deadlineAt === null ? [] : [deadline(deadlineAt)])] },
      ...(content ?? []).map(contentBlock),
      ...(note === null ? [] : [{ type: 'rich_text', elements: [line([plain(note)])] }]),
      ...(vote ? [reasonBlock] : []),
      { type: 'actions', elements: [...(vote ? voteButtons(JSON.stringify(vote)) : []), openButton(url)] },
    ],
  };
}

/** A reminder: names, deadline, and where to decide. */
export function slackReminder({ call, deadlineAt, url }: ShownInChat): SlackMessage {
  return {
    text: escapeText(`Still waiting: ${call}`),
    blocks: [
      {
        type: 'rich_text',
        elements: [
          line([bold('Still waiting: '), plain(`${call}\n`)]),
          ...(deadlineAt === null ? [] : [deadline(deadlineAt)]),
        ],
      },
      { type: 'actions', elements: [openButton(url)] },
    ],
  };
}

const plain = (text: string) => ({ type: 'text', text });
const bold = (text: string) => ({ type: 'text', text, style: { bold: true } });
const line = (elements: object[]) => ({ type: 'rich_text_section', elements });

/** Each line of a block needs a line end. */
const factLine = ({ label, text }: Labelled) => line([bold(`${label}: `), plain(`${text}\n`)]);

const deadline = (at: number) =>
  line([
    bold('Until: '),
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
const reasonBlock = {
  type: 'input',
  block_id: 'reason',
  optional: true,
  label: { type: 'plain_text', text: 'Reason (required to decline)' },
  element: { type: 'plain_text_input', action_id: 'reason', multiline: true, max_length: 3000 },
};

const voteButtons = (value: string) => [
  { ...button('accept', 'Approve'), value },
  { ...button('decline', 'Decline'), value },
];

const openButton = (url: string) => ({ ...button('open', 'Open in the console'), url });

const button = (action: string, text: string) => ({
  type: 'button',
  action_id: action,
  text: { type: 'plain_text', text },
});
