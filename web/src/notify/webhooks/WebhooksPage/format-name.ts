import { factsOf, type WebhookFormat } from '#notify/chat/contract';
import { webhooks as words } from '../../../settings/words/words.ts';

/** What people call a format: the name of the product, or else words of the language. */
export function formatName(format: WebhookFormat): string {
  const formats: Partial<Record<WebhookFormat, string>> = words.formats;
  return factsOf(format).label ?? formats[format] ?? format;
}
