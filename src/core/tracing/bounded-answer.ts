import { Problem } from '#protocol/model/problem';

/** Bytes of what services and issuers answer: keys, a discovery document, the place of a message. */
const usual = 1024 * 1024;

/** The answer of others, of which no more than so many bytes are read; then reading it is problem `unavailable`. */
export function boundedAnswer(answer: Response, maxBytes = usual): Response {
  let length = 0;
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      length += chunk.byteLength;
      if (length > maxBytes)
        throw new Problem('unavailable', { detail: `The answer is longer than ${maxBytes} bytes.` });
      controller.enqueue(chunk);
    },
  });
  return answer.body ? new Response(answer.body.pipeThrough(counting), answer) : answer;
}
