import type { ElicitationState } from '../../../client/client.ts';
import { linkSignals } from '../../../client/transport/linked-signal.ts';
import type { ElicitationId } from '#platform/model/id';
import { Problem } from '#platform/model/problem';
import { askUntilFit, applyRefusal } from './ask-requester.ts';
import { supportsElicitation } from '../../question/call/capabilities.ts';
import { faultsOf } from '../../question/question/faults.ts';
import type { ClientReply } from '../../question/call/incoming-call.ts';
import { messageOfInquiry, type Inquiry } from '../../question/question/inquiry.ts';
import {
  readQuestion,
  requireForm,
  type FormQuestion,
  type JsonForm,
  type Question,
} from '../../question/question/question.ts';
import type { Run } from '../../run/run/run.ts';

/** Can the person at the client be asked while the call is held? */
export const canRelayInquiries = ({ call, capabilities }: Run): boolean =>
  call.round === undefined && supportsElicitation(capabilities, 'form');

/**
 * Shows an approver's inquiry to the person at the client and passes on the reply, which decides nothing. It is
 * cancelled if the wait is over or the approvers ask something else. If the client cannot ask it, or the person cannot
 * fill it in, there is no reply.
 */
export async function relayInquiry(
  run: Run,
  { id, inquiry }: { id: ElicitationId; inquiry: Inquiry },
  question: Question,
  signal: AbortSignal,
): Promise<void> {
  const { client, holdTimeoutMs } = run;
  const watching = linkSignals(signal);
  const asking = linkSignals(signal);
  const form = requireForm(readQuestion(messageOfInquiry(inquiry, question.message), inquiry.schema as JsonForm));
  try {
    const reply = await Promise.race([
      client.waitForOutcome(id, { signal: watching.signal, timeout: holdTimeoutMs, afterInquiry: inquiry.id }),
      askUntilFit(run, form, { signal: asking.signal, timeout: holdTimeoutMs }),
    ]);
    signal.throwIfAborted(); // the client's request ends with the signal too, and may say so first
    if ('kind' in reply) await passOnReply(run, { id, inquiry }, form, reply);
    else asking.abort('The approvers no longer wait for this.');
  } finally {
    watching.abort('The inquiry has its reply.');
    watching.release();
    asking.release();
  }
}

async function passOnReply(
  run: Run,
  { id, inquiry }: { id: ElicitationState['id']; inquiry: Inquiry },
  form: FormQuestion,
  reply: ClientReply,
): Promise<void> {
  if (reply.kind === 'unsupported') applyRefusal(run, form, reply);
  if (reply.kind !== 'answer') return;
  const { action } = reply;
  if (action === 'accept' && faultsOf(form, reply.content).length > 0) return;
  const content = action === 'accept' ? { content: form.read(reply.content).form } : {};
  try {
    await run.client.giveInformation(id, { inquiry: inquiry.id, action, ...content });
  } catch (error) {
    // Another run was faster, the request is decided, or the reply cannot be delivered: the call is still held.
    if (!(error instanceof Problem)) throw error;
  }
}
