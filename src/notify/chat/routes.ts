import express, { type Request } from 'express';
import type { Chat } from './channel/channel.ts';
import { clickPaths, channels, chatChannels } from './contract.ts';
import { languageAt, voteInChat, type ChatVote } from './verbs/vote.ts';
import { Problem, problemSentences, type ProblemCode } from '#platform/model/problem';
import { formatRefusal } from '#requests/inbox/contract/refusal';
import { chatWords } from '#messages/chat-words';
import type { Language } from '#platform/text/language';
import { sharedWords } from '#messages/shared-words';
import type { ApiParts } from '#platform/http/routes/parts';
import { addressOf, countAddress, withinLimit, readWithinLimit } from '#platform/http/routes/limits';
import { noteRefused, notFound } from '#platform/http/routes/route';

/** Serves the addresses for clicks in chats. That of a chat that is not configured does not exist. */
export function serveChatRoutes(parts: ApiParts): void {
  for (const name of chatChannels) {
    const chat = parts.chats.find((each) => each.name === name);
    if (chat) serveChat(chat, parts);
    else parts.app.use(clickPaths[name], countAddress(parts.authenticate), notFound);
  }
}

function serveChat(chat: Chat, { app, engine, authenticate: { bodies, countCall, work } }: ApiParts): void {
  const readBytes = express.raw({ type: chat.clickType, limit: 256 * 1024, inflate: false });
  app.post(clickPaths[chat.name], readWithinLimit(readBytes, bodies), async (request, response) => {
    const header = (name: string): string | undefined => request.get(name);
    const click = await chat
      .readClick({ header, body: bytesOf(request) }, engine.now())
      .catch(async (error: unknown) => {
        await countCall(addressOf(request)); // the platform itself sends from few addresses
        throw error;
      });
    const vote = click?.vote ?? null;
    const cast = async (): Promise<string | null> =>
      vote &&
      ((await click?.isOurs()) ? castOrExplain(engine, chat, vote) : chatWords.en.stranger(channels[chat.name].label));
    const text = await withinLimit(work, addressOf(request), cast);
    const answer = text === null ? null : chat.writeAnswer(text);
    response.set('cache-control', 'no-store').status(200);
    if (answer) response.json(answer);
    else response.end();
    // The vote is cast; if this reply fails, the message still shows it.
    if (vote && text !== null && !answer) await chat.replyPrivately(vote, text).catch(() => {});
  });
}

const bytesOf = ({ body }: Request): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0));

/** The reply to the person who clicked; null if this delivery was handled before. */
async function castOrExplain(engine: ApiParts['engine'], chat: Chat, vote: ChatVote): Promise<string | null> {
  const link = `${engine.publicUrl()}/requests/${vote.id}`;
  const language = await languageAt(engine, vote.member);
  try {
    const row = await voteInChat(engine, vote, language);
    return row && chatWords[language].answers[row.status];
  } catch (error) {
    if (!(error instanceof Problem) || !explainableCodes.has(error.code)) throw error;
    const from = { by: { kind: 'stranger' }, address: `${chat.name} ${vote.member}` } as const;
    await noteRefused(engine, from, [{ id: vote.id, problem: { code: error.code } }]);
    return `${explain(error, language)} ${link}`;
  }
}

/** Reason in this language, if it has a sentence for it. */
function explain({ code, errors: [error], refusal, message }: Problem, language: Language): string {
  if (language === 'en') return error?.message ?? message;
  const { problems, refusals } = sharedWords[language];
  if (error) return error.path[0] === 'comment' ? chatWords[language].reasonNeeded : problems[code];
  if (refusal) return formatRefusal(refusal, refusals);
  return message === problemSentences[code] ? problems[code] : message;
}

/** Problems that the person can solve; for others the chat shows only that something failed. */
const explainableCodes = new Set<ProblemCode>([
  'INVALID_INPUT',
  'already-closed',
  'already-voted',
  'digest-mismatch',
  'forbidden',
  'fresh-sign-in-needed',
  'not-found',
  'not-now',
  'write-conflict',
]);
