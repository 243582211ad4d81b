import { Problem } from '#protocol/model/problem';

/** The text of an answer of others; problem `unavailable` if it has more bytes than this, which are not read. */
export async function readAnswer({ body }: Response, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let [text, length] = ['', 0];
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    if (length > maxBytes) throw new Problem('unavailable', { detail: `The answer is longer than ${maxBytes} bytes.` });
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
