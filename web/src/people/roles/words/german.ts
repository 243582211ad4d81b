import type { Permission } from '#people/directory/contract/permission';
import type * as english from './english.ts';

const permissions: Record<Permission, string> = {
  decide: 'Anfragen entscheiden, die Richtlinien ihnen zuweisen',
  'tend-requests':
    'Unlesbare Anfragen zurückziehen, Vertretungen anderer beenden, geteilte Listen entfernen; wer entscheidet, nimmt auch Freigaben zurück und beendet und verlängert Anfragen anderer Stufen',
  'watch-requests': 'Alle Anfragen finden und mit Begründung lesen',
  'read-log': 'Protokoll, Berichte und Auswertungen lesen',
  'change-directory': 'Personen, Gruppen und Verantwortliche von Servern ändern',
  'change-space': 'Rollen in Bereichen ändern',
  'read-tools': 'Tools von Servern sehen',
  'change-keys': 'Schlüssel von Servern anlegen, erneuern und widerrufen',
  'change-webhooks': 'Webhooks ändern und den Zustand des Systems sehen',
  'stop-calls': 'Tools und Server stoppen und Stopps aufheben',
  'write-policies': 'Richtlinien schreiben und prüfen',
  'publish-policies': 'Geprüfte Richtlinien veröffentlichen',
  'hold-content': 'Inhalte sperren, freigeben und löschen',
};

const nameOf = (permission: string): string => permissions[permission as Permission] ?? permission;

export const roles: typeof english.roles = {
  title: 'Rollen',
  lead: 'Eigene Rollen neben den eingebauten: Was sie erlauben, gilt überall. Änderungen von Befugnissen nimmt weiterhin nur die Administration an.',
  empty: 'Keine eigenen Rollen',
  emptyNote: 'Alle haben eine der eingebauten Rollen.',
  name: 'Name',
  nameNote: 'Kleinbuchstaben, Ziffern und Bindestriche, etwa key-keeper. Er lässt sich nicht ändern.',
  people: 'Personen',
  permits: (permitted) => `Erlaubt: ${permitted.map(nameOf).join('; ')}.`,
  permissions: 'Befugnisse',
  permission: nameOf,
  newTitle: 'Neue Rolle',
  create: 'Rolle anlegen',
  missing: 'Rolle nicht gefunden',
  missingNote: 'Es gibt keine Rolle mit dieser ID.',
  count: (people) => (people === 1 ? 'Eine Person hat diese Rolle.' : `${people} Personen haben diese Rolle.`),
  editNote: 'Das gilt sofort für alle mit dieser Rolle.',
  save: 'Speichern',
  remove: 'Rolle entfernen',
  removeNote: 'Geben Sie ihren Personen zuerst eine andere Rolle, und ändern Sie Richtlinien, die sie nennen.',
  removeNow: (name) => `${name} entfernen`,
  saved: 'Gespeichert.',
  removed: 'Entfernt.',
};
