import { isVouched } from '#people/directory/contract/presence';
import type { Mode, Risk } from '#requests/asking/contract/elicitation';
import { isBuiltInRole, type BuiltInRole } from '#people/directory/contract/permission';
import type {
  ClauseGroup,
  ClauseMatch,
  Share,
  ApproverSource,
  ClauseStep,
  PolicyClause,
} from '#policies/deciding/contract/clause';
import type { SeparatedPerson } from '#policies/deciding/contract/clause';
import type { Meaning } from '#requests/voting/contract/quorum';
import { clockTime } from '#platform/text/clock-time';
import { deniesPerGroup, isOnePerson, moment } from './clause-parts.ts';
import { formatsIn } from '#platform/text/formats';

const { all, any, count, duration, number, percent } = formatsIn('de');

type Clause<K extends PolicyClause['kind']> = Extract<PolicyClause, { kind: K }>;

/** One thing a policy says, as a German sentence. */
export const formatClauseInGerman = (clause: PolicyClause): string =>
  (sentences[clause.kind] as (clause: PolicyClause) => string)(clause);

/** Of each kind of clause. */
const sentences: { [K in PolicyClause['kind']]: (clause: Clause<K>) => string } = {
  applies: (clause) => `Gilt für ${formatMatch(clause.to)}${clause.when === null ? '' : `, wenn ${clause.when}`}.`,
  rule: formatRule,
  retired: (clause) => `Außer Kraft, entscheidet nichts: ${clause.reason}`,
  unreadable: () => 'Diese Version ist nicht mehr lesbar.',
  'commands-by-part': () =>
    'Sie erlaubt Shell-Befehle nach ihrem Anfang oder einem Teil: Ein anderer Befehl kann laufen. Veröffentlichen Sie eine neue Version mit runsOnly.',
  denied: (clause) => `Abgelehnt: ${clause.reason}`,
  allowed: (clause) =>
    `Läuft ohne Freigabe${clause.ceiling === null ? '' : ` bis zu ${risks[clause.ceiling]}`}${clause.until ? `, bis ${moment(clause.until)}` : ''}.`,
  sampled: (clause) => `${percent(clause.percent)} davon sieht sich später ein Mensch an.`,
  requester: () => 'Die Person am MCP-Client antwortet.',
  confirmed: (clause) => `Die Person am MCP-Client antwortet, bis zu ${risks[clause.ceiling]}.`,
  raised: (clause) => raised[clause.because],
  'checked-requester': () => 'Assentry muss das Zugriffstoken der anfragenden Person geprüft haben.',
  frozen: (clause) => `Die Sperrzeit ${clause.window} ist aktiv.`,
  stage: formatStage,
  escalation: formatEscalation,
  separation: (clause) => `Nicht stimmberechtigt: ${all(clause.excluded.map((person) => separated[person]))}.`,
  risk: (clause) => `Gilt als Aufruf mit ${risks[clause.risk]}, was er auch tut.`,
  deadline: (clause) =>
    `Frist: ${duration(clause.after)}, danach ${clause.outcome === 'deny' ? 'abgelehnt' : 'abgelaufen'}.`,
  reminders: (clause) => `Erinnerungen nach: ${all(clause.after.map(duration))}${formatQuiet(clause)}.`,
  justification: (clause) =>
    `${clause.from === 'requester' ? 'Wer anfragt, muss dies begründen' : 'Jede Stimme braucht eine Begründung'}${formatGermanReason(clause)}.`,
  confirmation: (clause) =>
    clause.path === null
      ? `Zum Freigeben muss „${clause.text}“ eingetippt werden.`
      : `Zum Freigeben muss der Wert von ${clause.path} eingetippt werden.`,
  'fresh-sign-in': (clause) =>
    `Zum Abstimmen muss frisch bestätigt sein, wer Sie sind (höchstens ${duration(clause.within)} alt).`,
  presence: ({ needed }) => {
    if (needed === 'passkey') return 'Zum Freigeben muss ein Passkey unterschreiben.';
    const where = isVouched(needed) ? ` und von einem Identitätsanbieter als ${needed.acr} bestätigt` : '';
    return `Zum Freigeben muss die Anmeldung höchstens zehn Minuten alt${where} sein.`;
  },
  'reading-time': (clause) => `Freigeben ist ${duration(clause.within)} nach dem Anzeigen der Anfrage möglich.`,
  pace: formatPace,
  start: () => 'Wer anfragt, kann eine Startzeit setzen; Freigebende können sie verschieben.',
  editable: (clause) => `Freigebende können ${all(clause.arguments)} ändern.`,
  facts: (clause) => `Freigebende sehen ${all(clause.labels)} neben den Schaltflächen.`,
  kept: (clause) => `Der Inhalt wird gelöscht, wenn eine Anfrage seit ${duration(clause.within)} beendet ist.`,
  undo: (clause) =>
    `Eine vollständige Freigabe kann ${duration(clause.within)} lang zurückgenommen werden, bevor der Aufruf läuft.`,
  grant: formatGrant,
  chat: (clause) =>
    `${clause.channel === null ? 'Alle Freigebenden werden' : `Der Kanal ${clause.channel} wird`} im Chat benachrichtigt${clause.vote ? '; dort stehen die Einzelheiten, und dort kann abgestimmt werden' : '; die Einzelheiten bleiben in der Konsole'}.`,
  notify: formatNotify,
  freeze: (clause) =>
    `Von ${moment(clause.from)} bis ${moment(clause.until)} (${clause.window}) zusätzlich nötig: ${formatNeed({ count: 1 }, clause.approvers)}.`,
};

const raised = {
  'unknown-tool':
    'Für dieses Tool gilt keine Richtlinie, und es gibt nicht an, ob es nur liest oder Daten zerstören kann; deshalb entscheiden Freigebende.',
  'unaccepted-definition':
    'Dass es nur liest, behauptet der Server selbst, und niemand hat die Definition des Tools bisher angenommen; deshalb zählt die Behauptung nicht.',
  'unchecked-requester':
    'Assentry hat nicht geprüft, wer anfragt; deshalb müssen zwei Personen freigeben, die weder den Server besitzen noch seinen Schlüssel erstellt haben.',
};

const ways = { email: 'per E-Mail', push: 'im Browser' };

function formatNotify({ channels, urgent }: Clause<'notify'>): string {
  return [
    ...(channels === null
      ? []
      : [
          channels.length === 0
            ? 'Niemand wird per E-Mail oder im Browser benachrichtigt.'
            : `Freigebende werden nur ${any(channels.map((channel) => ways[channel]))} benachrichtigt.`,
        ]),
    ...(urgent
      ? ['Mitteilungen kommen auch in Ruhezeiten und vor der Sammlung, es sei denn, eine Person hat das abgeschaltet.']
      : []),
  ].join(' ');
}

function formatPace({ approvals, hasty, within }: Clause<'pace'>): string {
  return [
    ...(approvals === null
      ? []
      : [
          `Nach ${number(approvals)} Freigaben innerhalb von ${duration(within)} wartet eine Person, bis die erste so lange her ist.`,
        ]),
    ...(hasty === null
      ? []
      : [
          `Nach ${number(hasty)} Freigaben in Folge, jede in unter 5 Sekunden, wartet eine Person ${duration(within)}.`,
        ]),
  ].join(' ');
}

function formatMatch({ tool, server, mode, risk, annotations, audience }: ClauseMatch): string {
  const parts = [
    tool === null ? 'alle Tools' : any(tool),
    ...(server === null ? [] : [`auf ${any(server)}`]),
    ...(mode === null ? [] : [`als ${any(mode.map((name) => modes[name]))}`]),
    ...(risk === null ? [] : [`bei ${any(risk.map((level) => risks[level]))}`]),
    ...(annotations.length === 0 ? [] : [`mit ${all(annotations.map(({ name, value }) => `${name} ${value}`))}`]),
    ...(audience === null ? [] : [audience === 'approvers' ? 'an Freigebende' : 'an die anfragende Person']),
  ];
  return parts.join(' ');
}

function formatRule({ position, when }: Clause<'rule'>): string {
  const parts = [...(position === 1 ? [] : ['sonst']), ...(when === null ? [] : [`wenn ${when}`])];
  return `Regel ${number(position)}, ${parts.join(', ')}:`;
}

function formatStage({ position, name, groups, complete }: Clause<'stage'>): string {
  const needs = groups.map((group) => formatGroup(group, groups.length > 1));
  const place = position === null ? '' : `Stufe ${number(position)}, `;
  return `${place}${name}: ${complete === 'all' ? all(needs) : any(needs)} nötig. ${formatDenials(groups, complete)}`;
}

function formatGroup({ need, approvers, meaning, name }: ClauseGroup, isNamed: boolean): string {
  const notes = [...(isNamed ? [name] : []), ...(meaning === 'approved' ? [] : [meanings[meaning]])];
  return `${formatNeed(need, approvers)}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`;
}

function formatNeed(need: Share, approvers: ApproverSource[]): string {
  if (isOnePerson(need, approvers)) return `Freigabe durch ${formatSources(approvers)}`;
  if ('percent' in need) return `Freigabe durch ${percent(need.percent)} von: ${formatSources(approvers)}`;
  return `${count(need.count, { one: 'Freigabe', other: 'Freigaben' })} durch ${any(approvers.map(formatOneOf))}`;
}

const formatSources = (sources: ApproverSource[]): string => any(sources.map(formatSource));

/** If some of them are enough, "alle" would say too much. */
const formatOneOf = (source: ApproverSource): string =>
  source.kind === 'anyone' ? 'beliebige Stimmberechtigte' : formatSource(source);

function formatSource(source: ApproverSource): string {
  switch (source.kind) {
    case 'anyone':
      return 'alle Stimmberechtigten';
    case 'user':
      return source.email;
    case 'group':
      return `die Gruppe ${source.name}`;
    case 'role':
      return isBuiltInRole(source.role) ? roles[source.role] : `die Rolle ${source.role}`;
    case 'manager':
      return 'die Führungskraft der anfragenden Person';
    case 'owner':
      return 'die für den Server verantwortliche Person';
    case 'cel':
      return `Personen, für die ${source.expression} gilt`;
  }
}

const rejections = { one: 'Ablehnung', other: 'Ablehnungen' };

function formatDenials(groups: ClauseGroup[], complete: 'all' | 'any'): string {
  if (groups.length > 1 && complete === 'any') return 'Die Anfrage endet, wenn jede Gruppe abgelehnt hat.';
  const [first] = groups;
  if (!deniesPerGroup(groups) && first)
    return `${count(first.deny, rejections)} ${first.deny === 1 ? 'beendet' : 'beenden'} die Anfrage.`;
  return `Die Anfrage endet bei ${any(groups.map(({ name, deny }) => `${count(deny, rejections)} in ${name}`))}.`;
}

function formatEscalation({ stage, steps, rounds, end }: Clause<'escalation'>): string {
  const start = stage === null ? 'Entscheidet niemand' : `Entscheidet in ${stage} niemand`;
  const again = rounds === 1 ? '' : ` Das wiederholt sich in ${number(rounds)} Runden.`;
  const needed = steps.every((step) => step.approve === null && !step.stage)
    ? ' Nötig bleiben so viele Freigaben wie zuvor.'
    : '';
  return `${start}: ${steps.map(formatStep).join('; ')}.${needed}${again}${end === 'deny' ? ' Danach gilt die Anfrage als abgelehnt.' : ''}`;
}

function formatStep({ after, mode, approvers, approve, stage }: ClauseStep): string {
  if (stage)
    return `Wartezeit ${duration(after)}, dann an ihrer Stelle: ${formatInPlace(stage)}; die Abstimmung beginnt neu`;
  const enough =
    approve === null
      ? ''
      : `; die Abstimmung beginnt neu, dann ${approve === 1 ? 'reicht' : 'reichen'} ${count(approve, { one: 'Freigabe', other: 'Freigaben' })}`;
  return `Wartezeit ${duration(after)}, dann ${mode === 'add' ? 'zusätzlich' : 'stattdessen'} ${formatSources(approvers)}${enough}`;
}

function formatInPlace({ name, groups, complete }: NonNullable<ClauseStep['stage']>): string {
  const needs = groups.map((group) => {
    const isUsual = group.deny === 1;
    return `${formatGroup(group, groups.length > 1)}${isUsual ? '' : `, Ende bei ${number(group.deny)} Ablehnungen`}`;
  });
  return `${name} (${complete === 'all' ? all(needs) : any(needs)})`;
}

function formatGrant({ longest, uses, budget, same }: Clause<'grant'>): string {
  const limits = [
    ...(uses === null ? [] : [`${number(uses)}-mal`]),
    ...(budget === null ? [] : [`insgesamt ${number(budget.total)} bei ${budget.argument}`]),
  ];
  const what = same.length === 0 ? 'denselben Aufruf' : `Aufrufe mit demselben Wert für ${all(same)}`;
  return `Freigebende können ${what} dauerhaft erlauben, höchstens für ${duration(longest)}${limits.length === 0 ? '' : ` und höchstens ${all(limits)}`}.`;
}

/** The rules for a reason, in brackets; nothing if any reason will do. */
export function formatGermanReason({ minLength, like }: { minLength: number; like: string | null }): string {
  const rules = [
    ...(minLength > 1 ? [`mindestens ${number(minLength)} Zeichen`] : []),
    ...(like === null ? [] : [`in der Form ${like}`]),
  ];
  return rules.length === 0 ? '' : ` (${rules.join(', ')})`;
}

const formatQuiet = ({ quiet }: Clause<'reminders'>): string =>
  quiet === null ? '' : `, außer von ${clockTime(quiet.from)} bis ${clockTime(quiet.until)} (${quiet.timeZone})`;

const modes: Record<Mode, string> = { form: 'Formular', url: 'Adresse' };
const risks: Record<Risk, string> = { low: 'niedrigem Risiko', medium: 'mittlerem Risiko', high: 'hohem Risiko' };
const roles: Record<BuiltInRole, string> = {
  admin: 'die Administration',
  'policy-author': 'Richtlinien-Verfassende',
  operator: 'der Betrieb',
  approver: 'Freigebende',
  reviewer: 'Prüfende',
};
const meanings: Record<Meaning, string> = {
  approved: 'als Freigabe',
  reviewed: 'als geprüft',
  responsible: 'als verantwortlich',
  witnessed: 'als Zeuge',
};
const separated: Record<SeparatedPerson, string> = {
  requester: 'wer anfragt',
  'agent-owner': 'wer für den Server des Agenten verantwortlich ist',
  editor: 'wer die Anfrage geändert hat',
  author: 'wer die Richtlinie geschrieben hat',
  'earlier-voters': 'wer in einer früheren Stufe abgestimmt hat',
};
