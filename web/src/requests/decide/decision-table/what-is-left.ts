import { fieldKind, optionsOf } from '#platform/form/schema';
import type { FormSchema } from '#platform/form/schema';
import type { Left } from '../words/later-words/left.ts';

interface LeftFacts {
  isChanged: boolean;
  /** Null if no passkey must sign. */
  signing: { isReady: boolean } | null;
  /** Parts of the request that were not on the screen yet. */
  unread: number;
  isCardUnseen: boolean;
  answers: Extract<Left, { kind: 'answers' }> | null;
  isCommentMissing: boolean;
  /** What must still be typed. */
  untyped: readonly string[];
}

/** In the order in which one reads: first what is decided, then what goes along with the vote. */
export function whatIsLeft(facts: LeftFacts): Left | null {
  const { isChanged, signing, unread, isCardUnseen, answers, isCommentMissing, untyped } = facts;
  if (isChanged) return { kind: 'changed' };
  if (signing?.isReady === false) return { kind: 'passkey' }; // first, because one leaves the page for it
  if (unread > 0 || isCardUnseen) return { kind: 'read' };
  const [text] = untyped;
  if (answers === null && !isCommentMissing && text !== undefined) return { kind: 'typed', text };
  return answers ?? (isCommentMissing ? { kind: 'comment' } : null);
}

/** The fields of the form that have something wrong, in their order. */
export function answersLeft(schema: FormSchema, faulty: string[], isEmpty: (name: string) => boolean) {
  const names = Object.keys(schema.properties).filter((name) => faulty.includes(name));
  const [first] = names;
  if (first === undefined) return null;
  const title = schema.properties[first]?.title ?? first;
  return { kind: 'answers', count: names.length, first: title, isMissing: isEmpty(first) } as const;
}

/** More, or with longer texts, would push the buttons out of sight. */
const maxInCard = { fields: 2, options: 4, characters: 140 };

/** Is the form one or two choices? Then it stands in the decision card. */
export function standsInCard(schema: FormSchema): boolean {
  const fields = Object.values(schema.properties);
  const isShort = (text: string | undefined) => (text ?? '').length <= maxInCard.characters;
  return (
    fields.length > 0 &&
    fields.length <= maxInCard.fields &&
    isShort(schema.description) &&
    fields.every((field) => {
      const kind = fieldKind(field);
      const options = kind === 'single-select' ? optionsOf(field) : [];
      const isChoice = kind === 'boolean' || (kind === 'single-select' && options.length <= maxInCard.options);
      return isChoice && [field.title, field.description, ...options.map(({ title }) => title)].every(isShort);
    })
  );
}
