import type { Directory } from '../../../document/rules/directory/directory.ts';
import { votersOf } from '../../../document/rules/directory/voters.ts';
import type { ApproverLookup } from '../approvers/approver-sources.ts';
import { freezeStage } from './freeze.ts';
import { hasStar } from '../../../document/rules/directory/glob.ts';
import type { PolicyDocument, Rule } from '../../../document/rules/document/policy-document.ts';
import { ownerOf, stageOf } from './resolve-stages.ts';
import { findShortage } from '../shortage/shortage.ts';
import { planStages } from '../../../document/rules/stages/stage-plan.ts';
import { isUnknown, formatUnknowns } from '../approvers/unknown-names.ts';
import type { StagePlan } from '../../../document/rules/verdict/verdict.ts';

type Satisfiability = { ok: true } | { ok: false; reason: string };

/**
 * Refuses a policy that the people of the directory could never satisfy, no matter who asks, or that names what is not
 * there.
 * Facts that depend on the request are assumed to be favourable; `resolveStages` checks them for each request.
 */
export function checkSatisfiable(
  document: PolicyDocument,
  directory: Directory,
  authorId: string | null = null,
): Satisfiability {
  const { rules, match } = document;
  const servers = match.server === null || match.server.some(hasStar) ? [null] : match.server;
  for (const [at, { rule }] of rules.entries()) {
    const place = rules.length === 1 ? '' : `Rule ${at + 1}: `;
    for (const server of servers) {
      for (const plans of chainsOf(rule, authorId)) {
        const reason = refuse(plans, directory, server);
        if (reason !== null)
          return { ok: false, reason: `${place}${server === null ? '' : `On ${server}: `}${reason}` };
      }
    }
  }
  return { ok: true };
}

/** The stages of a rule, and those of each of its freeze windows. */
function chainsOf(rule: Rule, authorId: string | null): StagePlan[][] {
  if (rule.outcome === 'deny') return [];
  const own = rule.outcome === 'require' ? [planStages(rule, authorId)] : [];
  return [...own, ...rule.freeze.map((window) => [freezeStage(window)])];
}

function refuse(plans: StagePlan[], directory: Directory, server: string | null): string | null {
  const lookup = lookupWithoutRequest(directory, server);
  const owner = server === null ? null : ownerOf(directory, server);
  const stages = plans.map((plan) => stageOf(plan, lookup, owner, {}));
  return (
    findShortage(plans, stages, lookup, [])?.reason ??
    plans.map((plan) => refuseNames(plan, lookup)).find(Boolean) ??
    null
  );
}

/** An unknown name is a mistake, even if other names would suffice: fewer people could vote than the author expects. */
function refuseNames({ name, groups, escalation }: StagePlan, lookup: ApproverLookup): string | null {
  const sources = [...groups, ...(escalation?.steps ?? [])].flatMap(({ approvers }) => approvers);
  const unknowns = formatUnknowns(
    sources.filter((source) => isUnknown(source, lookup)),
    lookup,
  );
  return unknowns.length === 0 ? null : `Stage ${name}: ${unknowns.join(' ')}`;
}

/** Without a request, someone's manager stands for the requester's, and some server's owner for the server's. */
function lookupWithoutRequest(directory: Directory, server: string | null): ApproverLookup {
  const voters = votersOf(directory);
  const { ids: able } = voters;
  const hasManager = directory.users.some(({ managerId }) => managerId !== null && able.has(managerId));
  const owned = directory.servers.filter(({ ownerId }) => ownerId !== null && able.has(ownerId));
  const owner = owned.find(({ name }) => name === server)?.ownerId;
  const someOwner = server === null && owned.length > 0 ? ['the owner of the server'] : [];
  return {
    directory,
    server,
    voters,
    requesters: [],
    managers: hasManager ? ["the requester's manager"] : [],
    owners: owner ? [owner] : someOwner,
    isUnverified: false,
    context: null,
  };
}
