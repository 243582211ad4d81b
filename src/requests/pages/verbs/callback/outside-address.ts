import type { Question } from '../../../asking/verbs/question/sealed-question.ts';

/** Where the connect page leads: the given address, with the question's `state`. All its other characters stay. */
export function outsideAddress({ url, state }: Pick<Question, 'state'> & { url: string }): string {
  if (state === undefined) return url;
  const [, start = '', query, fragment = ''] = /^([^#?]*)(\?[^#]*)?(.*)$/.exec(url) ?? [];
  const joint = query === undefined ? '?' : /^\?$|&$/.test(query) ? '' : '&';
  return `${start}${query ?? ''}${joint}state=${state}${fragment}`;
}
