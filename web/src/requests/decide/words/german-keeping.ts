import { formatsIn } from '#platform/text/formats';
import type * as english from './english-keeping.ts';

const { all } = formatsIn('de');

export const keeping: typeof english.keeping = {
  title: 'Aufbewahren oder löschen',
  lead: 'Das entscheiden zwei Personen der Administration gemeinsam. Die Einträge im Protokoll, die Nachweise und der Beleg bleiben gültig.',
  hold: 'Aufbewahrungspflicht setzen',
  erase: 'Inhalt löschen',
  scope: 'Was',
  scopes: {
    request: 'Diese Anfrage',
    requester: 'Alles, was diese Person angefragt hat, an jedem Server',
  },
  ground: 'Warum',
  choices: {
    asked: 'Die anfragende Person hat es verlangt',
    mistake: 'Es hätte nie hier stehen dürfen',
    law: 'Ein Gesetz verlangt es',
  },
  consequence:
    'Der Schlüssel wird vernichtet. Niemand kann den Inhalt wiederherstellen, außer aus älteren Sicherungen.',
  eraseNow: 'Löschen',
  reason: 'Vorgang',
  reasonNote: 'Er wird lesbar gespeichert und nie gelöscht. Nennen Sie den Vorgang und keine Person.',
  holdNow: 'Aufbewahren',
  held: 'Aufbewahrt. Nichts davon wird gelöscht, bis die Pflicht aufgehoben ist.',
  close: 'Schließen',
  erased: (when, by) => `Gelöscht am ${when} von ${all(by)}`,
  grounds: {
    asked: 'Die anfragende Person hat es verlangt.',
    mistake: 'Es hätte nie hier stehen dürfen.',
    law: 'Ein Gesetz verlangt es.',
    policy: 'Die Aufbewahrungszeit seiner Richtlinie ist abgelaufen.',
  },
  left: 'Was gefragt wurde und was Menschen dazu schrieben, kann niemand mehr lesen. Geblieben ist, wer wann entschieden hat.',
};
