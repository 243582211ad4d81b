import type { Segment } from '#platform/text/hidden-characters';
import { revealText } from '#platform/text/visible-text';
import type { TextWords } from '#messages/display-words';

/** A piece of a page that is safe to send: what was put into it has been escaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Part = Markup | string | number | null | readonly Part[];

/** Builds a page from a template. Every value is text unless it is markup itself; attributes stand in double quotes. */
export const markup = (template: TemplateStringsArray, ...parts: Part[]): Markup =>
  new Markup(template.map((fixed, index) => fixed + textOf(parts[index] ?? null)).join(''));

/** Text of others, with hidden characters spelled out in the language of the page. */
export const revealIn = ({ shared }: { shared: TextWords }, text: string): Markup =>
  markup`${revealText(text).map((segment) => segmentMarkup(segment, shared))}`;

function segmentMarkup(segment: Segment, { lookalike }: TextWords): Part {
  if (segment.kind === 'text') return segment.text;
  if (segment.kind === 'hidden') return markup`<span class="unseen">${segment.label}</span>`;
  return markup`${segment.text}<span class="unseen">${lookalike(segment)}</span>`;
}

function textOf(part: Part): string {
  if (part === null) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map(textOf).join('');
  return escape(String(part));
}

const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
