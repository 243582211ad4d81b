import { formatsIn } from '#platform/text/formats';
import type * as english from './english.ts';

const { count, number } = formatsIn('de');

export const words: typeof english.words = {
  save: 'Speichern',
  saved: 'Gespeichert.',
  none: 'Niemand',
  notYourself: (name) => `${name} (das kann nur jemand anderes aus der Administration eintragen)`,
};

/** The page has its own words: this is what others say of a space. */
export const spaces: typeof english.spaces = { title: 'Bereiche', space: 'Bereich' };
export const roles: typeof english.roles = { title: 'Rollen' };

export const users: typeof english.users = {
  title: 'Personen',
  lead: 'Alle, die sich anmelden können. Richtlinien finden Freigebende über Rolle, Gruppe, Führungskraft und E-Mail-Adresse.',
  table: 'Personen',
  filter: 'Person suchen',
  filterNote: 'Nach Name, E-Mail-Adresse, Rolle oder Gruppe',
  noMatch: 'Keine passende Person.',
  add: 'Person hinzufügen',
  name: 'Name',
  role: 'Rolle',
  manager: 'Führungskraft',
  groups: 'Gruppen',
  disabled: 'Gesperrt',
  invited: 'Noch kein Passwort',
  mayBreakGlass: 'Notfallfreigabe',
};

export const user: typeof english.user = {
  missing: 'Person nicht gefunden',
  missingNote: 'Es gibt keine Person mit dieser Kennung.',
  title: 'Person',
  name: 'Name',
  nameNote: 'Steht neben den Entscheidungen dieser Person.',
  role: 'Rolle',
  roleNotes: {
    admin: 'Die Administration entscheidet Anfragen, schreibt Richtlinien und verwaltet Personen.',
    'policy-author':
      'Richtlinien-Verfassende schreiben und prüfen Richtlinien. Sie entscheiden und veröffentlichen nichts.',
    operator: 'Der Betrieb verwaltet Schlüssel und Webhooks und kann Aufrufe stoppen. Er entscheidet nichts.',
    approver: 'Freigebende entscheiden die Anfragen, die Richtlinien ihnen zuweisen.',
    reviewer: 'Prüfende können Anfragen nach einer Begründung lesen, aber nicht entscheiden.',
  },
  manager: 'Führungskraft',
  managerNote: 'Richtlinien können die Führungskraft der anfragenden Person fragen.',
  subjects: 'Namen bei MCP-Clients',
  subjectsNote:
    'Einer pro Zeile, zusätzlich zur E-Mail-Adresse: SUBJECT oder ISSUER#SUBJECT. Anfragen unter diesen Namen kann die Person nicht selbst freigeben.',
  chat: 'Mitglieds-ID im Chat',
  chatNote:
    'Zum Beispiel U0123ABCD in Slack, für Microsoft Teams die Objekt-ID. Stimmen von dort zählen als Stimmen dieser Person.',
  breakGlass: 'Darf die Notfallfreigabe nutzen',
  breakGlassNote:
    'Darf an einer Richtlinie vorbei freigeben, wenn es nicht warten kann. Das braucht eine Begründung und wird danach geprüft.',
  disabled: 'Gesperrt',
  disabledNote:
    'Kann sich nicht anmelden und nicht abstimmen, und selbst erstellte Schlüssel gelten nicht. Bisherige Entscheidungen bleiben.',
  madeKeys: (keys) =>
    keys === 1
      ? 'Diesen Schlüssel hat die Person erstellt. Er gilt nicht, solange sie gesperrt ist; erstellen Sie zuerst einen anderen, wenn sein Server noch einen braucht.'
      : 'Diese Schlüssel hat die Person erstellt. Sie gelten nicht, solange sie gesperrt ist; erstellen Sie zuerst andere, wenn ihre Server noch welche brauchen.',
  groups: 'Gruppen',
  noGroups: 'In keiner Gruppe.',
  since: 'Seit',
};

export const newUser: typeof english.newUser = {
  title: 'Person hinzufügen',
  lead: 'Die Person setzt ihr Passwort selbst, mit einem Link, der per E-Mail kommt. Sonst kennt es niemand.',
  terminalLead:
    'Die Person setzt ihr Passwort selbst, mit einem Link vom Terminal des Betriebs. Sonst kennt es niemand.',
  email: 'E-Mail-Adresse',
  emailNote: 'Damit meldet sich die Person an. Sie lässt sich später nicht ändern.',
  manager: 'Führungskraft (optional)',
  groups: 'Gruppen (optional)',
  submit: 'Hinzufügen und Link senden',
  terminalSubmit: 'Hinzufügen',
  added: 'Person hinzugefügt.',
  open: (name) => `${name} öffnen`,
  again: 'Weitere Person hinzufügen',
};

export const access: typeof english.access = {
  passkeys: 'Passkeys',
  noPasskeys: 'Keine Passkeys.',
  title: 'Anmeldung',
  hasPassword: 'Hat ein Passwort.',
  hasNone: 'Hat noch kein Passwort gesetzt und kann sich nicht anmelden.',
  send: 'Passwort-Link senden',
  replaceNote:
    'Für Personen, die ihr Passwort verloren haben. Sie werden überall abgemeldet, und frühere Links gelten nicht mehr; das alte Passwort gilt, bis sie ein neues setzen.',
  againNote: 'Frühere Links gelten nicht mehr.',
  reset: 'Link senden, der zweite Faktoren zurücksetzt',
  resetNote:
    'Für eine Person, die auch ihre Passkeys oder ihre Authenticator-App verloren hat: Wer den Link verwendet, entfernt sie und fügt neue hinzu.',
  terminalReset: 'Für eine Person, die auch ihre Passkeys oder ihre Authenticator-App verloren hat:',
  disabled: 'Diese Person ist gesperrt. Entsperren Sie sie zuerst.',
  sent: 'Der Link ist unterwegs.',
  onItsWay: (email) => `Ein Link ist unterwegs an ${email}`,
  once: 'Wer ihn zuerst benutzt, setzt das Passwort. Einmal verwendbar,',
  shared: 'Bis sie einen Link aus dem Terminal des Betriebs benutzen, zählen Sie beide als eine Person:',
  terminal:
    'Führen Sie diesen Befehl dort aus, wo Assentry läuft, oder bitten Sie den Betrieb darum. Er gibt den Link für diese Person aus, meldet sie überall ab und macht frühere Links ungültig. Senden Sie den Link sonst niemandem.',
};

export const groups: typeof english.groups = {
  title: 'Gruppen',
  lead: 'Richtlinien nennen Gruppen. Eine Änderung gilt für jede Stufe, die von jetzt an beginnt.',
  name: 'Gruppe',
  members: 'Mitglieder',
  description: 'Zweck',
  empty: 'Noch keine Gruppen',
  emptyNote: 'Legen Sie eine Gruppe wie „finance“ an und fügen Sie Personen hinzu; Richtlinien können sie dann fragen.',
  newTitle: 'Neue Gruppe',
  nameLabel: 'Name',
  nameNote: 'So nennen Richtlinien die Gruppe.',
  descriptionLabel: 'Zweck (optional)',
  create: 'Gruppe anlegen',
  missing: 'Gruppe nicht gefunden',
  missingNote: 'Vielleicht wurde sie gelöscht.',
  providedTitle: 'Von SCIM angelegt',
  adopted: (provider) => `${provider} hat diese Gruppe angelegt und bestimmt, wer darin ist. Sie zählt in Richtlinien.`,
  unadopted: (provider) =>
    `${provider} hat diese Gruppe angelegt und bestimmt, wer darin ist. In Richtlinien zählt sie erst, wenn die Administration sie übernimmt.`,
  adopt: 'Gruppe übernehmen',
  endAdoption: 'Nicht mehr zählen',
  unadoptedMark: 'Von SCIM angelegt, nicht übernommen: zählt noch nicht',
  membersTitle: (members) => `Mitglieder (${number(members)})`,
  noMembers: 'Noch keine Mitglieder. Richtlinien, die diese Gruppe verlangen, sind nicht erfüllbar.',
  addMember: 'Person hinzufügen',
  add: 'Hinzufügen',
  remove: 'Entfernen',
  settings: 'Name und Zweck',
  renameNote: 'Wenn Sie sie umbenennen, ändern Sie auch die Richtlinien, die sie nennen.',
  deleteTitle: 'Diese Gruppe löschen',
  deleteNote: 'Richtlinien, die sie nennen, finden dann niemanden darin und sind nicht erfüllbar.',
  delete: 'Gruppe löschen',
  confirm: (name) => `${name} endgültig löschen`,
  keep: 'Behalten',
};

export const confirmation: typeof english.confirmation = {
  title: 'Bestätigung',
  lead: 'Wenn Mitglieder alle paar Monate bestätigt werden, verlassen die Gruppe alle, die niemand rechtzeitig bestätigt.',
  none: 'Die Mitglieder muss niemand bestätigen.',
  rule: (days, by) => `Alle ${number(days)} Tage, durch ${by}.`,
  administrators: 'die Administration',
  last: 'Zuletzt bestätigt',
  next: 'Nächstes Mal',
  due: (members) =>
    members === 1
      ? '1 Mitglied verlässt die Gruppe, wenn es niemand bestätigt'
      : `${number(members)} Mitglieder verlassen die Gruppe, wenn sie niemand bestätigt`,
  provided: 'Mitglieder von einem Identitätsanbieter werden dort bestätigt und bleiben.',
  confirm: (members) =>
    members === 1 ? 'Dieses Mitglied bestätigen' : `Diese ${number(members)} Mitglieder bestätigen`,
  confirmed: 'Bestätigt.',
  who: 'Die Mitglieder bestätigen nur die Verantwortlichen der Gruppe und die Administration.',
  own: 'Sie können Ihre eigene Mitgliedschaft nicht bestätigen. Andere Verantwortliche oder die Administration können es.',
  days: 'Mitglieder alle … Tage bestätigen',
  daysNote: 'Von 1 bis 730. Leer, wenn es niemand muss.',
  owners: 'Verantwortliche',
  ownersNote: 'Sie werden zwei Wochen vorher gefragt. Ohne Verantwortliche wird die Administration gefragt.',
  addOwner: 'Verantwortliche hinzufügen',
  save: 'Regel speichern',
};

export const keys: typeof english.keys = {
  title: 'Schlüssel',
  note: 'Mit einem Schlüssel kann ein Server Anfragen stellen, aber nie eine freigeben. Ein Server kann mehrere haben, damit Sie einen ohne Ausfall ersetzen können.',
  key: 'Schlüssel',
  server: 'Server',
  made: 'Erstellt',
  used: 'Zuletzt benutzt',
  never: 'Nie',
  state: 'Status',
  isRevoked: 'Widerrufen',
  isExpired: 'Abgelaufen',
  isOff: (maker) => `Gilt nicht, solange ${maker} gesperrt ist`,
  maker: 'Erstellt von',
  operator: 'Betrieb',
  expires: 'Läuft ab',
  expiresNever: 'Nie',
  expiresIn: (days) => `In ${days} Tagen`,
  soon: 'In 14 Tagen',
  expiresNote: 'Danach gilt er nicht mehr.',
  limits: 'Tools und Netze',
  allTools: 'Alle Tools',
  from: (networks) => `Nur aus ${networks}`,
  unused: 'Seit 90 Tagen nicht benutzt.',
  forTools: 'Nur für diese Tools (optional)',
  forToolsNote: 'Namen mit Kommas trennen; * steht für beliebige Zeichen. Leer lassen für alle.',
  forNetworks: 'Nur aus diesen Netzen (optional)',
  forNetworksNote: 'Etwa 10.0.0.0/8 oder 2001:db8::/32, mit Kommas getrennt. Leer lassen für überall.',
  rotate: 'Ablösen',
  rotateNote: 'Erstellt einen Schlüssel mit denselben Grenzen. Dieser gilt noch höchstens 24 Stunden.',
  confirmRotation: 'Schlüssel ablösen',
  rotated: 'Schlüssel abgelöst.',
  rotatedNote:
    'Als ASSENTRY_API_KEY. Er wird nur einmal gezeigt. Der alte gilt bis zu seinem Ende, damit Sie ihn ohne Ausfall ersetzen können.',
  isReplaced: (next) => `Abgelöst durch ${next}`,
  changeNetworks: 'Netze',
  networksOf: (kid) => `Netze, aus denen ${kid} funktioniert`,
  saveNetworks: 'Netze speichern',
  revoke: 'Widerrufen',
  revokeNote: 'Er gilt sofort und endgültig nicht mehr. Seine Anfragen bleiben.',
  confirm: 'Schlüssel widerrufen',
  keep: 'Behalten',
  revoked: 'Schlüssel widerrufen.',
  forServer: 'Neuer Schlüssel für Server',
  forServerNote: 'Diesen Namen sehen Freigebende. Ein neuer Name legt einen neuen Server an.',
  create: 'Schlüssel erstellen',
  madeOne: 'Schlüssel erstellt.',
  give: (server) => `Geben Sie diesen Schlüssel an ${server}`,
  giveNote:
    'Als ASSENTRY_API_KEY. Er wird nur einmal gezeigt; geht er verloren, erstellen Sie einen neuen und widerrufen Sie diesen.',
  shown: 'Neuer Schlüssel',
};

export const away: typeof english.away = {
  title: 'Vertretungen',
  lead: 'Während Sie abwesend sind, kann jemand für Sie abstimmen. Die Stimme zählt als Ihre, zeigt beide Namen und zählt nie doppelt.',
  form: 'Ich bin abwesend',
  to: 'Wer für Sie abstimmt',
  toNote: 'Vertretungen lassen sich nicht weitergeben.',
  from: 'Von',
  fromNote: 'Leer lassen, um jetzt zu beginnen.',
  until: 'Bis',
  policies: 'Nur für diese Richtlinien (optional)',
  policiesNote: 'Namen mit Kommas trennen. Leer lassen für alle.',
  note: 'Notiz (optional)',
  submit: 'Stimmen übertragen',
  handedOver: 'Ihre Stimmen sind übertragen.',
  toMissing: 'Wählen Sie, wer für Sie abstimmt.',
  untilMissing: 'Wählen Sie ein Ende.',
  list: 'Vertretungen',
  table: 'Wer für wen abstimmt',
  empty: 'Keine Vertretungen.',
  who: 'Wer',
  votesFor: (to, from) => `${to} stimmt für ${from} ab`,
  when: 'Wann',
  which: 'Richtlinien',
  all: 'Alle',
  state: 'Status',
  states: { now: 'Aktiv', ahead: 'Noch nicht begonnen', over: 'Beendet', revoked: 'Vorzeitig beendet' },
  revoke: 'Jetzt beenden',
  revokeOf: (to, from) => `Vertretung von ${from} durch ${to} beenden`,
  revoked: 'Vertretung beendet.',
  begins: 'Beginnt',
  began: 'Begann',
  ends: 'endet',
  ended: 'endete',
};

export const breakGlass: typeof english.breakGlass = {
  title: 'Notfallfreigaben',
  lead: 'Anfragen, die jemand an ihrer Richtlinie vorbei freigegeben hat. Jede muss jemand anderes prüfen.',
  empty: 'Keine Notfallfreigaben',
  emptyNote:
    'Wer die Berechtigung hat, kann eine Anfrage an ihrer Richtlinie vorbei freigeben. Sie erscheint dann hier zur Prüfung.',
  request: 'Anfrage',
  by: 'Freigegeben von',
  at: 'Wann',
  review: 'Prüfung',
  due: 'Fällig',
  reviewed: 'Erledigt',
};

export const lookBacks: typeof english.lookBacks = {
  title: 'Stichproben',
  lead: 'Was Richtlinien ohne Rückfrage erlaubt haben, zufällig ausgewählt, damit es sich danach jemand ansieht.',
  empty: 'Nichts anzusehen',
  emptyNote:
    'In einer Richtlinie, die Aufrufe erlaubt, kann sample: 5% stehen. Dieser Anteil erscheint hier zum späteren Ansehen.',
  approversNote: 'Nur Administration und Prüfung sehen die Stichproben.',
  request: 'Anfrage',
  policy: 'Erlaubt von',
  at: 'Wann',
  review: 'Blick',
  due: 'Noch nicht angesehen',
  reviewed: 'Erledigt',
};

export const grants: typeof english.grants = {
  title: 'Dauerfreigaben',
  lead: 'Aufrufe, die eine Zeit lang ohne neue Anfrage laufen dürfen, weil Freigebende es erlaubt haben.',
  empty: 'Keine Dauerfreigaben',
  emptyNote:
    'Wenn die Richtlinie es zulässt, können Freigebende denselben Aufruf für einige Stunden erlauben. Er erscheint dann hier.',
  cut: (grants) => `Das sind die neuesten ${number(grants)}; es gibt weitere. Beendete fehlen zuerst.`,
  what: 'Was laufen darf',
  requester: 'Angefragt von',
  erased: 'gelöscht',
  hidden: 'Inhalt gegen Angabe eines Grundes',
  by: 'Erlaubt von',
  left: 'Verbleibend',
  uses: (uses) => count(uses, { one: 'Nutzung', other: 'Nutzungen' }),
  budget: (amount, argument) => `${number(amount)} bei ${argument}`,
  due: 'Prüfung fällig',
  steps: 'Aktionen',
  states: {
    revoked: 'Vorzeitig beendet',
    suspended: 'Ausgesetzt: Das Tool hat sich geändert',
    expired: 'Abgelaufen',
    lapsed: 'Erloschen: nicht rechtzeitig geprüft',
    'used-up': 'Aufgebraucht',
  },
  revoke: 'Jetzt beenden',
  revoked: 'Dauerfreigabe beendet. Der nächste Aufruf fragt wieder.',
  review: 'Bestätigen',
  reviewed: 'Dauerfreigabe bestätigt.',
};

export const stops: typeof english.stops = {
  title: 'Notaus',
  lead: 'Stoppen Sie ein Tool, einen Server oder alles auf einmal. Offene Anfragen enden, und freigegebene Aufrufe starten nicht.',
  empty: 'Nichts ist gestoppt',
  emptyNote: 'Nutzen Sie das Formular unten oder „assentry stop“. Den Stopp muss eine zweite Person aufheben.',
  form: 'Jetzt stoppen',
  server: 'Server',
  everyServer: 'Alle Server',
  tool: 'Einzelnes Tool (optional)',
  toolNote: 'Zum Beispiel wire_transfer. Leer heißt: jedes Tool.',
  reason: 'Grund',
  reasonNote: 'Wird allen gezeigt, die anfragen.',
  stop: (tool, server) =>
    tool === '' ? (server === '' ? 'Alles stoppen' : `${server} ganz stoppen`) : `${tool} stoppen`,
  consequence: 'Begonnene Aufrufe laufen weiter. Den Stopp muss jemand anderes aufheben.',
  saved: 'Gestoppt.',
  stopped: (ended) => `Gestoppt. Beendet: ${count(ended, { one: 'offene Anfrage', other: 'offene Anfragen' })}.`,
  list: 'Gestoppt',
  what: 'Was',
  everything: 'Alles',
  allOf: (server) => `Alles von ${server}`,
  of: (server) => `von ${server}`,
  by: 'Gestoppt von',
  operator: 'Der Betrieb',
  steps: 'Stand',
  lift: 'Stopp aufheben',
  liftedBy: (name) => `Aufgehoben von ${name}`,
  lifted: 'Der Stopp ist aufgehoben.',
};
