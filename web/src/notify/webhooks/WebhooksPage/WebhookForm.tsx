import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { NewWebhook } from '#notify/webhooks/contract/webhooks';
import { factsOf, webhookFormats } from '#notify/chat/contract';
import type { WebhookManner } from '#notify/webhooks/contract/webhook';
import { languages } from '#platform/text/language';
import { addWebhook } from '../webhooks.ts';
import { fieldFaults, textFields } from '../../../ui/field-faults.ts';
import { ChangeNotice } from '../../../people/changes/ChangeNotice.tsx';
import page from '../../../ui/Page.module.css';
import { allowed, ReasonedButton } from '../../../ui/ReasonedButton/ReasonedButton.tsx';
import { shell } from '../../../ui/words/words.ts';
import { ShownOnce } from '../../../settings/ShownOnce.tsx';
import { formatName } from './format-name.ts';
import { SavingForm } from '../../../settings/SavingForm.tsx';
import { useSave } from '../../../settings/use-save.ts';
import { webhooks as words } from '../../../settings/words/words.ts';

interface Draft extends WebhookManner {
  url: string;
  key: string;
}

const empty: Draft = { url: '', format: 'standard', language: 'en', key: '' };

/** Adds a receiver; its secret is shown once. */
export function WebhookForm() {
  const [draft, setDraft] = useState<Draft>(empty);
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const add = useSave(() => addWebhook(webhookOf(draft)), words.saved);
  const field = textFields(draft, change, fieldFaults(add.error));
  const press = () => add.mutate(undefined, { onSuccess: () => setDraft(empty) });
  const secret = add.data?.secret ?? null;
  return (
    <SavingForm title={words.form} error={add.error} onPress={press}>
      {secret !== null && (
        <ShownOnce title={words.secretTitle} note={words.secretNote} label={words.secret} value={secret} />
      )}
      <ChangeNotice change={add.data} />
      <TextInput label={words.url} description={words.urlNote} {...field('url')} autoComplete="off" />
      <MannerFields draft={draft} field={field} onChange={change} />
      <div className={page.actions}>
        <ReasonedButton {...allowed} isSending={add.isPending} onPress={press}>
          {words.add}
        </ReasonedButton>
      </div>
    </SavingForm>
  );
}

interface MannerFieldsProps {
  draft: Draft;
  field: ReturnType<typeof textFields<Draft>>;
  onChange: (part: Partial<Draft>) => void;
}

/** What the receiver understands, and what only some of them need. */
function MannerFields({ draft, field, onChange }: MannerFieldsProps) {
  return (
    <>
      <NativeSelect
        label={words.format}
        value={draft.format}
        data={webhookFormats.map((value) => ({ value, label: formatName(value) }))}
        onChange={({ currentTarget: { value } }) =>
          onChange({ format: webhookFormats.find((format) => format === value) ?? draft.format })
        }
      />
      {factsOf(draft.format).hasLanguage && (
        <NativeSelect
          label={words.language}
          value={draft.language}
          data={languages.map((value) => ({ value, label: shell.languages[value] }))}
          onChange={({ currentTarget: { value } }) =>
            onChange({ language: languages.find((language) => language === value) ?? draft.language })
          }
        />
      )}
      {factsOf(draft.format).key && (
        <TextInput label={words.key} description={words.keyNote} {...field('key')} autoComplete="off" />
      )}
    </>
  );
}

const webhookOf = ({ key, ...draft }: Draft): NewWebhook => ({
  ...draft,
  url: draft.url.trim(),
  ...(factsOf(draft.format).key && { key: key.trim() }),
});
