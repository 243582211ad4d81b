import type { SampleEvent } from '../../providers/event.ts';
import { withValue } from '../../providers/pointer.ts';
import { readEvent, type Reader } from './read.ts';
import { signField, signHeaders } from './signature.ts';

/**
 * An event that this provider could have signed, by the newest secret, and that means nothing: it changes no request. It has only a name and a reference, so that no rule holds. Null if the description would read more in it.
 */
export function sampleEvent(
  reader: Reader,
  { name, reference }: { name: string; reference: string },
  now: number,
): SampleEvent | null {
  const { signed, id: places, reference: referencePlaces } = reader.events;
  const [secret] = reader.signingSecrets;
  const named = places.reduce<unknown>((document, place) => withValue(document, place, name), {});
  const document = withValue(named, referencePlaces[0] ?? '', reference);
  if (secret === undefined) return null;
  const body = JSON.stringify(
    'field' in signed ? withValue(document, signed.field, signField(signed, secret, document)) : document,
  );
  const bytes = Buffer.from(body);
  const proof = 'field' in signed ? {} : signHeaders(signed, secret, bytes, { id: name, now });
  const headers = { 'content-type': 'application/json', ...proof };
  const read = readEvent(reader, bytes, headers, now);
  if (read.state !== 'read' || read.event.verdict !== 'nothing' || read.event.reference !== reference) return null;
  return { id: read.event.id, headers, body };
}
