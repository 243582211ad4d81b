import { isFrameId, isObject, metaKey, type Frame } from '../../frames/frame/frame.ts';
import { each, entries, members, text, type Change } from '../../frames/reading/changes.ts';
import { addresses, ids, names, places } from '../names/names.ts';

/**
 * What this upstream sends, as a client of all upstreams reads it: every name, address and id leads back to it. It goes by
 * the members that MCP has, whatever was asked, because a stream that is resumed does not say. The same frame if it
 * names nothing.
 */
export function forClient(upstream: string): (frame: Frame) => Frame {
  const result = changeOfResult(upstream);
  const elicitation = members({ elicitationId: placeOf(upstream) });
  const error = members({ data: members({ uri: addressOf(upstream), elicitations: entries(elicitation) }) });
  const params = changeOfParams(upstream);
  const id = idOf(upstream);
  return (frame) => {
    if (frame.method === undefined) return members({ result, error })(frame) as Frame;
    const change = members({ id, params: members({ ...params.all, ...params.of[String(frame.method)] }) });
    return change(frame) as Frame;
  };
}

/** What this upstream takes up of a subscription, as the client reads it. */
export const honoredOf = (upstream: string): Change =>
  members({ resourceSubscriptions: entries(addressOf(upstream)), taskIds: entries(placeOf(upstream)) });

const nameOf = (upstream: string): Change => text((own) => names.join(upstream, own));
const addressOf = (upstream: string): Change => text((own) => addresses.join(upstream, own));
const placeOf = (upstream: string): Change => text((own) => places.join(upstream, own));
const idOf =
  (upstream: string): Change =>
  (own) =>
    isFrameId(own) ? ids.join(upstream, own) : own;

/** To the client it would be the context of all upstreams. */
const none: Change = () => 'none';

const taskOf = (upstream: string): Change => members({ taskId: placeOf(upstream) });
const relatedTask = (upstream: string) => ({ [metaKey('related-task')]: taskOf(upstream) });

/** That of a task that has ended is within its own (2026-07-28). */
function changeOfResult(upstream: string): Change {
  const [uri, task] = [addressOf(upstream), taskOf(upstream)];
  const named = entries(members({ name: nameOf(upstream) }));
  const located = entries(members({ uri }));
  const block = members({ uri, resource: members({ uri }) });
  const blocks: Change = (content) => (Array.isArray(content) ? entries(block)(content) : block(content));
  const change = members({
    tools: named,
    prompts: named,
    resources: located,
    resourceTemplates: entries(members({ uriTemplate: uri })),
    contents: located,
    content: blocks,
    messages: entries(members({ content: blocks })),
    task,
    tasks: entries(task),
    taskId: placeOf(upstream),
    inputRequests: each(members({ params: members({ includeContext: none }) })),
    _meta: members(relatedTask(upstream)),
    result: (inner) => whole(inner),
  });
  const pending = changeOfPending(upstream);
  const whole: Change = (result) => pending(change(result));
  return whole;
}

/** A result that is pending says by which id it is waited for: one that leads back to this upstream. */
function changeOfPending(upstream: string): Change {
  const mark = 'elicitId ';
  const sentence = text((words) => words.replaceAll(mark, mark + places.join(upstream, '')));
  const change = members({
    content: entries(members({ text: sentence })),
    _meta: members({ elicitationPending: members({ instructions: sentence, elicitId: placeOf(upstream) }) }),
  });
  return (result) => {
    const isPending = isObject(result) && isObject(result['_meta']) && isObject(result['_meta']['elicitationPending']);
    return isPending ? change(result) : result;
  };
}

function changeOfParams(upstream: string) {
  const [uri, id] = [addressOf(upstream), idOf(upstream)];
  return {
    all: { _meta: members({ ...relatedTask(upstream), progressToken: id }) },
    of: {
      'elicitation/create': { elicitationId: placeOf(upstream) },
      'notifications/elicitation/complete': { elicitationId: placeOf(upstream) },
      'sampling/createMessage': { includeContext: none },
      'notifications/cancelled': { requestId: id },
      'notifications/resources/updated': { uri },
      'notifications/tasks/status': { taskId: placeOf(upstream) },
      'notifications/tasks': { taskId: placeOf(upstream), result: changeOfResult(upstream) },
    } as Record<string, Record<string, Change>>,
  };
}
