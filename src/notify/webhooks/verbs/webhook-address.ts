import { faultOfAddress } from '#platform/model/names';
import { invalidInput } from '#platform/model/problem/problem';

const maxAddressLength = 2000;

/** The address of a webhook; problem `INVALID_INPUT` at `name` if it is not one that can be kept secret on its way. */
export function webhookAddress(text: string, name = 'url'): URL {
  const fault = faultOfAddress(text) ?? faultOf(new URL(text));
  if (fault !== null) throw invalidInput([name], fault);
  return new URL(text);
}

function faultOf({ protocol, username, password, hash, href }: URL): string | null {
  if (protocol !== 'https:') return 'Give an https address.';
  if (username !== '' || password !== '') return 'Leave out the name and the password: the signature says who sends.';
  if (hash !== '') return 'Leave out what follows the #: it is never sent.';
  return href.length > maxAddressLength ? `Give an address of at most ${maxAddressLength} characters.` : null;
}
