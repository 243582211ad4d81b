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

/** Text of strangers, with the characters made visible that hide, or make other characters read as something else. */
export const reveal = (text: string): Markup =>
  new Markup(escape(text).replaceAll(hidden, (one) => `<span class="unseen">${codePoint(one)}</span>`));

function textOf(part: Part): string {
  if (part === null) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map(textOf).join('');
  return escape(String(part));
}

const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);

// Controls besides line breaks and tabs, half characters, marks of direction, and what takes no room.
const hidden =
  /(?![\t\n])[\p{Cc}\p{Cs}\u00AD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\u{E0000}-\u{E007F}]/gu;

const codePoint = (one: string): string => `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
