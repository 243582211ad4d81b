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

const { all, any, count, duration, number, percent } = formatsIn('fr');

type Clause<K extends PolicyClause['kind']> = Extract<PolicyClause, { kind: K }>;

/** One thing a policy says, as a French sentence. */
export const formatClauseInFrench = (clause: PolicyClause): string =>
  (sentences[clause.kind] as (clause: PolicyClause) => string)(clause);

/** Of each kind of clause. */
const sentences: { [K in PolicyClause['kind']]: (clause: Clause<K>) => string } = {
  applies: (clause) => `S’applique à ${formatMatch(clause.to)}${clause.when === null ? '' : `, si ${clause.when}`}.`,
  rule: formatRule,
  retired: (clause) => `Hors service, ne décide rien : ${clause.reason}`,
  unreadable: () => 'Cette version n’est plus lisible.',
  'commands-by-part': () =>
    'Elle autorise des commandes shell d’après leur début ou une partie : une autre commande peut s’exécuter. Publiez une nouvelle version avec runsOnly.',
  denied: (clause) => `Refusé : ${clause.reason}`,
  allowed: (clause) =>
    `S’exécute sans approbation${clause.ceiling === null ? '' : ` jusqu’au ${risks[clause.ceiling]}`}${clause.until ? `, jusqu’au ${moment(clause.until)}` : ''}.`,
  sampled: (clause) => `Une personne en contrôle ${percent(clause.percent)} plus tard.`,
  requester: () => 'La personne au client MCP répond.',
  confirmed: (clause) => `La personne au client MCP répond, jusqu’au ${risks[clause.ceiling]}.`,
  raised: (clause) => raised[clause.because],
  'checked-requester': () => 'Assentry doit avoir vérifié le jeton d’accès de la personne qui demande.',
  frozen: (clause) => `La période de gel ${clause.window} est en cours.`,
  stage: formatStage,
  escalation: formatEscalation,
  separation: (clause) => `Ne peuvent pas voter : ${all(clause.excluded.map((person) => separated[person]))}.`,
  risk: (clause) => `Compte comme ${risks[clause.risk]}, quoi que fasse l’appel.`,
  deadline: (clause) =>
    `Échéance : ${duration(clause.after)}, ensuite ${clause.outcome === 'deny' ? 'refusé' : 'expiré'}.`,
  reminders: (clause) => `Rappels après : ${all(clause.after.map(duration))}${formatQuiet(clause)}.`,
  justification: (clause) =>
    `${clause.from === 'requester' ? 'Qui demande doit donner un motif' : 'Chaque vote a besoin d’un motif'}${formatFrenchReason(clause)}.`,
  confirmation: (clause) =>
    clause.path === null
      ? `Pour approuver, il faut saisir « ${clause.text} ».`
      : `Pour approuver, il faut saisir la valeur de ${clause.path}.`,
  'fresh-sign-in': (clause) =>
    `Pour voter, il faut s’être connecté ou avoir confirmé son identité depuis ${duration(clause.within)} au plus.`,
  presence: ({ needed }) => {
    if (needed === 'passkey') return 'Pour approuver, il faut la signature d’une clé d’accès.';
    const where = isVouched(needed) ? ` chez un fournisseur d’identité qui la confirme comme ${needed.acr}` : '';
    return `Pour approuver, il faut une connexion de moins de dix minutes${where}.`;
  },
  'reading-time': (clause) => `L’approbation est possible ${duration(clause.within)} après l’affichage de la demande.`,
  pace: formatPace,
  start: () => 'Qui demande peut fixer une heure de début ; qui approuve peut la repousser.',
  editable: (clause) => `Qui approuve peut modifier ${all(clause.arguments)}.`,
  facts: (clause) => `Qui approuve voit ${all(clause.labels)} à côté des boutons.`,
  kept: (clause) => `Le contenu est effacé ${duration(clause.within)} après la fin d’une demande.`,
  undo: (clause) =>
    `Une approbation complète peut être reprise pendant ${duration(clause.within)}, avant que l’appel s’exécute.`,
  grant: formatGrant,
  chat: (clause) =>
    `${clause.channel === null ? 'Chaque personne qui approuve est prévenue' : `Le canal ${clause.channel} est prévenu`} dans la messagerie${clause.vote ? ', y voit la demande et peut y voter' : ' ; les détails restent dans la console'}.`,
  notify: formatNotify,
  freeze: (clause) =>
    `Du ${moment(clause.from)} au ${moment(clause.until)} (${clause.window}), il faut en plus : ${formatNeed({ count: 1 }, clause.approvers)}.`,
};

const raised = {
  'unknown-tool':
    'Aucune politique ne couvre cet outil, et il ne dit pas s’il ne fait que lire ou s’il peut détruire des données ; l’approbation revient donc à des personnes désignées.',
  'unaccepted-definition':
    'C’est le serveur lui-même qui affirme que l’outil ne fait que lire, et personne n’a encore accepté la définition de l’outil : cette affirmation ne compte donc pas.',
  'unchecked-requester':
    'Assentry n’a pas vérifié qui demande ; deux personnes doivent donc approuver, et aucune ne peut répondre du serveur ni avoir créé sa clé.',
};

const ways = { email: 'par e-mail', push: 'dans leur navigateur' };

function formatNotify({ channels, urgent }: Clause<'notify'>): string {
  return [
    ...(channels === null
      ? []
      : [
          channels.length === 0
            ? 'Personne n’est prévenu par e-mail ni dans un navigateur.'
            : `Les personnes qui approuvent ne sont prévenues que ${any(channels.map((channel) => ways[channel]))}.`,
        ]),
    ...(urgent
      ? [
          'Les notifications arrivent aussi pendant les heures calmes et avant les récapitulatifs, sauf si la personne l’a désactivé.',
        ]
      : []),
  ].join(' ');
}

function formatPace({ approvals, hasty, within }: Clause<'pace'>): string {
  return [
    ...(approvals === null
      ? []
      : [
          `Après ${number(approvals)} approbations en ${duration(within)}, une personne attend que la première soit aussi ancienne.`,
        ]),
    ...(hasty === null
      ? []
      : [
          `Après ${number(hasty)} approbations de suite, chacune en moins de 5 secondes, une personne attend ${duration(within)}.`,
        ]),
  ].join(' ');
}

function formatMatch({ tool, server, mode, risk, annotations, audience }: ClauseMatch): string {
  const parts = [
    tool === null ? 'tous les outils' : any(tool),
    ...(server === null ? [] : [`sur ${any(server)}`]),
    ...(mode === null ? [] : [`en mode ${any(mode.map((name) => modes[name]))}`]),
    ...(risk === null ? [] : [`de ${any(risk.map((level) => risks[level]))}`]),
    ...(annotations.length === 0 ? [] : [`avec ${all(annotations.map(({ name, value }) => `${name} ${value}`))}`]),
    ...(audience === null
      ? []
      : [audience === 'approvers' ? 'adressés à qui approuve' : 'adressés à la personne qui demande']),
  ];
  return parts.join(' ');
}

function formatRule({ position, when }: Clause<'rule'>): string {
  const parts = [...(position === 1 ? [] : ['sinon']), ...(when === null ? [] : [`si ${when}`])];
  return `Règle ${number(position)}, ${parts.join(', ')} :`;
}

function formatStage({ position, name, groups, complete }: Clause<'stage'>): string {
  const needs = groups.map((group) => formatGroup(group, groups.length > 1));
  const place = position === null ? '' : `Étape ${number(position)}, `;
  return `${place}${name} : il faut ${complete === 'all' ? all(needs) : any(needs)}. ${formatDenials(groups, complete)}`;
}

function formatGroup({ need, approvers, meaning, name }: ClauseGroup, isNamed: boolean): string {
  const notes = [...(isNamed ? [name] : []), ...(meaning === 'approved' ? [] : [meanings[meaning]])];
  return `${formatNeed(need, approvers)}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`;
}

function formatNeed(need: Share, approvers: ApproverSource[]): string {
  if (isOnePerson(need, approvers)) return `l’approbation de ${formatSources(approvers)}`;
  if ('percent' in need) return `l’approbation de ${percent(need.percent)} de : ${formatSources(approvers)}`;
  return `${count(need.count, approvals)} parmi ${formatSources(approvers)}`;
}

const approvals = { one: 'approbation', other: 'approbations' };

const formatSources = (sources: ApproverSource[]): string => any(sources.map(formatSource));

function formatSource(source: ApproverSource): string {
  switch (source.kind) {
    case 'anyone':
      return 'toutes les personnes qui peuvent voter';
    case 'user':
      return source.email;
    case 'group':
      return `le groupe ${source.name}`;
    case 'role':
      return isBuiltInRole(source.role) ? roles[source.role] : `le rôle ${source.role}`;
    case 'manager':
      return 'la ou le responsable de la personne qui demande';
    case 'owner':
      return 'la personne qui répond du serveur';
    case 'cel':
      return `les personnes pour qui ${source.expression} est vrai`;
  }
}

const refusals = { one: 'refus', other: 'refus' };

function formatDenials(groups: ClauseGroup[], complete: 'all' | 'any'): string {
  if (groups.length > 1 && complete === 'any') return 'La demande se termine quand chaque groupe a refusé.';
  const [first] = groups;
  if (!deniesPerGroup(groups) && first)
    return `${count(first.deny, refusals)} ${first.deny === 1 ? 'met' : 'mettent'} fin à la demande.`;
  return `La demande se termine avec ${any(groups.map(({ name, deny }) => `${count(deny, refusals)} dans ${name}`))}.`;
}

function formatEscalation({ stage, steps, rounds, end }: Clause<'escalation'>): string {
  const start = stage === null ? 'Si personne ne décide' : `Si personne ne décide dans ${stage}`;
  const again = rounds === 1 ? '' : ` Cela se répète pendant ${number(rounds)} tours.`;
  const needed = steps.every((step) => step.approve === null && !step.stage)
    ? ' Il faut autant d’approbations qu’avant.'
    : '';
  return `${start} : ${steps.map(formatStep).join(' ; ')}.${needed}${again}${end === 'deny' ? ' Ensuite, la demande est refusée.' : ''}`;
}

function formatStep({ after, mode, approvers, approve, stage }: ClauseStep): string {
  if (stage) return `après ${duration(after)}, à sa place : ${formatInPlace(stage)} ; le vote recommence`;
  const enough =
    approve === null
      ? ''
      : ` ; le vote recommence, et ${count(approve, approvals)} ${approve === 1 ? 'suffit' : 'suffisent'}`;
  return `après ${duration(after)}, ${formatSources(approvers)} ${mode === 'add' ? 'peut voter aussi' : 'vote à la place'}${enough}`;
}

function formatInPlace({ name, groups, complete }: NonNullable<ClauseStep['stage']>): string {
  const needs = groups.map((group) => {
    const isUsual = group.deny === 1;
    return `${formatGroup(group, groups.length > 1)}${isUsual ? '' : `, fin avec ${count(group.deny, refusals)}`}`;
  });
  return `${name} (${complete === 'all' ? all(needs) : any(needs)})`;
}

function formatGrant({ longest, uses, budget, same }: Clause<'grant'>): string {
  const limits = [
    ...(uses === null ? [] : [`${number(uses)} fois`]),
    ...(budget === null ? [] : [`${number(budget.total)} de ${budget.argument} en tout`]),
  ];
  const what = same.length === 0 ? 'le même appel' : `les appels avec la même valeur de ${all(same)}`;
  return `Qui approuve peut autoriser durablement ${what}, pour ${duration(longest)} au plus${limits.length === 0 ? '' : ` et ${all(limits)} au plus`}.`;
}

/** The rules for a reason, in brackets; nothing if any reason will do. */
export function formatFrenchReason({ minLength, like }: { minLength: number; like: string | null }): string {
  const rules = [
    ...(minLength > 1 ? [`au moins ${number(minLength)} caractères`] : []),
    ...(like === null ? [] : [`de la forme ${like}`]),
  ];
  return rules.length === 0 ? '' : ` (${rules.join(', ')})`;
}

const formatQuiet = ({ quiet }: Clause<'reminders'>): string =>
  quiet === null ? '' : `, sauf de ${clockTime(quiet.from)} à ${clockTime(quiet.until)} (${quiet.timeZone})`;

const modes: Record<Mode, string> = { form: 'formulaire', url: 'adresse' };
const risks: Record<Risk, string> = { low: 'risque faible', medium: 'risque moyen', high: 'risque élevé' };
const roles: Record<BuiltInRole, string> = {
  admin: 'l’administration',
  'policy-author': 'les personnes qui rédigent les politiques',
  operator: 'l’exploitation',
  approver: 'les personnes qui approuvent',
  reviewer: 'les personnes chargées du contrôle',
};
const meanings: Record<Meaning, string> = {
  approved: 'comme approbation',
  reviewed: 'comme relu',
  responsible: 'comme responsable',
  witnessed: 'comme témoin',
};
const separated: Record<SeparatedPerson, string> = {
  requester: 'la personne qui demande',
  'agent-owner': 'la personne qui répond du serveur de l’agent',
  editor: 'qui a modifié la demande',
  author: 'qui a écrit la politique',
  'earlier-voters': 'qui a voté à une étape précédente',
};
