import type { PageField } from '../../verbs/page/page-form.ts';
import { markup, revealIn, type Markup } from '../frame/markup.ts';
import type { PageWords } from '../frame/page-words.ts';

/** The name a field is posted under; distinct from the form's own fields for any tool. */
export const postedName = (name: string): string => `field.${name}`;

/** One field with its label, its rule, what was typed and its fault. */
export function renderField(field: PageField, index: number, words: PageWords): Markup {
  const isGroup = ['boolean', 'multi-select'].includes(field.kind) || isFewOptions(field);
  return isGroup ? renderGroup(field, index, words) : renderSingle(field, index, words);
}

export const fieldId = (index: number): string => `field-${index}`;

/** With more options, a select box is quicker to read. */
const maxRadios = 6;
const isFewOptions = ({ kind, options }: PageField): boolean => kind === 'single-select' && options.length <= maxRadios;

function renderSingle(field: PageField, index: number, words: PageWords): Markup {
  const id = fieldId(index);
  return markup`<div class="field">
<label class="label" for="${id}">${labelOf(field, words)}</label>
${notesOf(field, id, words)}
${renderControl(field, id, words)}
</div>`;
}

function renderControl(field: PageField, id: string, words: PageWords): Markup {
  const shared = markup`id="${id}" name="${postedName(field.name)}"${attributesOf(field, id)}`;
  const typed = field.isSecret ? '' : (field.typed[0] ?? '');
  if (field.kind === 'single-select') return renderSelect(field, shared, typed, words);
  // HTML drops a line break right after the tag.
  if (field.isLong || field.kind === 'string-list') return markup`<textarea ${shared} rows="4">\n${typed}</textarea>`;
  return markup`<input ${shared} ${inputOf(field)} value="${typed}" autocomplete="off">`;
}

// Never type=email, url or number: browsers trim and rewrite those, and their own messages would mix with ours.
function inputOf({ kind, isSecret }: PageField): Markup {
  if (isSecret) return markup`type="password"`;
  switch (kind) {
    case 'date':
      return markup`type="date"`;
    case 'date-time':
      return markup`type="datetime-local" step="1"`;
    case 'number':
      return markup`type="text" inputmode="decimal"`;
    case 'integer':
      return markup`type="text" inputmode="numeric"`;
    case 'email':
      return markup`type="text" inputmode="email"`;
    case 'uri':
      return markup`type="text" inputmode="url"`;
    default:
      return markup`type="text"`;
  }
}

const renderSelect = (
  { options, isRequired }: PageField,
  shared: Markup,
  typed: string,
  { field }: PageWords,
): Markup =>
  markup`<select ${shared}>
<option value="">${isRequired ? field.choose : field.noAnswer}</option>
${options.map(({ value, title }) => markup`<option value="${value}"${mark(value === typed, markup` selected`)}>${title}</option>`)}
</select>`;

function renderGroup(field: PageField, index: number, words: PageWords): Markup {
  const { noAnswer, yes, no } = words.field;
  const yesOrNo = [
    { value: 'true', title: yes },
    { value: 'false', title: no },
  ];
  const id = fieldId(index);
  const type = field.kind === 'multi-select' ? 'checkbox' : 'radio';
  const named = field.kind === 'boolean' ? yesOrNo : field.options;
  // A chosen radio button cannot be cleared.
  const options = type === 'checkbox' || field.isRequired ? named : [...named, { value: '', title: noAnswer }];
  const typed = field.typed.length > 0 ? field.typed : [''];
  const name = postedName(field.name);
  const choices = options.map(
    ({ value, title }, at) => markup`<label class="choice">
<input type="${type}" name="${name}" value="${value}"${mark(at === 0, markup` id="${id}"`)}${mark(typed.includes(value), markup` checked`)}>
<span>${revealIn(words, title)}</span>
</label>`,
  );
  return markup`<fieldset class="field"${describedBy(field, id)}>
<legend class="label">${labelOf(field, words)}</legend>
${notesOf(field, id, words)}
<div>${choices}</div>
</fieldset>`;
}

const mark = (isSet: boolean, attribute: Markup): Markup | null => (isSet ? attribute : null);

const labelOf = ({ label, isRequired }: PageField, words: PageWords): Markup =>
  markup`${revealIn(words, label)}${isRequired ? null : markup` <span class="soft">(${words.field.optional})</span>`}`;

const notesOf = ({ description, rules, fault }: PageField, id: string, words: PageWords): Markup =>
  markup`${description ? markup`<p class="soft lines" id="${id}-about">${revealIn(words, description)}</p>` : null}
${rules.length > 0 ? markup`<p class="rule" id="${id}-rule">${rules.map(words.shared.rule).join(' ')}</p>` : null}
${fault ? markup`<p class="error" id="${id}-error">${words.shared.fault(fault)}</p>` : null}`;

const attributesOf = (field: PageField, id: string): Markup =>
  markup`${describedBy(field, id)}${mark(field.isRequired, markup` aria-required="true"`)}${mark(field.fault !== null, markup` aria-invalid="true"`)}`;

function describedBy({ description, rules, fault }: PageField, id: string): Markup | null {
  const ids = [description && `${id}-about`, rules.length > 0 && `${id}-rule`, fault && `${id}-error`].filter(Boolean);
  return ids.length === 0 ? null : markup` aria-describedby="${ids.join(' ')}"`;
}
