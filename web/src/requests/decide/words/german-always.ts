import { formatsIn } from '#platform/text/formats';
import type { AlwaysChoices } from '#policies/contract/documents';

type Choice = Pick<AlwaysChoices['choices'][number], 'kind' | 'value'>;

const { all } = formatsIn('de');

const limits: Record<Choice['kind'], (value: string) => string> = {
  folder: (value) => `Im Ordner ${value}`,
  site: (value) => `Auf der Website ${value}`,
  repository: (value) => `Im Repository ${value}`,
  account: (value) => `Für ${value}`,
  command: (value) => `Genau der Befehl ${value}`,
  amount: (value) => `Bis ${value}`,
  same: () => 'Genau dieser Aufruf',
};

export const always = {
  title: 'Immer für solche Aufrufe',
  lead: 'Schreiben Sie eine Regel, damit die nächsten Aufrufe wie dieser ohne Frage laufen. Sie gilt nur für das, was Sie hier wählen, und endet.',
  open: 'Immer für …',
  limit: 'Beschränkt auf',
  /** `tools` are others than the one that was asked about. */
  limits: ({ kind, value }: Choice, tools: string[]): string =>
    tools.length === 0 ? limits[kind](value) : `${limits[kind](value)}, auch mit ${all(tools)}`,
  days: 'Für',
  daysOf: (days: number): string => `${days} Tage`,
  none: 'Aus diesem Aufruf lässt sich keine Regel schreiben. Er entfernt etwas, startet etwas, das weitere Befehle annimmt, oder nichts in ihm kann die Regel beschränken.',
  freed: (freed: number, of: number): string =>
    of === 0
      ? 'Es gibt keine früheren Aufrufe dieses Werkzeugs zum Vergleichen.'
      : `Sie hätte ${freed} der letzten ${of} Aufrufe dieses Werkzeugs ohne Frage laufen lassen:`,
  more: (count: number): string => `und ${count} weitere`,
  document: 'Die Richtlinie',
  commandRuns:
    'Der Befehl bleibt derselbe; was er ausführt, kann sich ändern, etwa ein Skript oder eine package.json, die der Agent bearbeiten kann.',
  publish: 'Diese Aufrufe erlauben',
  consequence:
    'Im Probebetrieb gilt sie sofort. In der Produktion wird sie zuerst von einer zweiten Person aus der Administration geprüft.',
  holds: 'Sie gilt ab jetzt.',
  waits: 'Sie wartet auf die Prüfung durch eine zweite Person aus der Administration.',
  show: (policy: string): string => `${policy} öffnen`,
  close: 'Schließen',
  ask: 'Jemand aus der Administration kann eine Regel für solche Aufrufe schreiben. Senden Sie diesen Link:',
};
