import { Link, useSearchParams } from 'react-router';
import { colon } from '../language/words/words.ts';
import { galleryNames, type GalleryName } from '../ui/words/gallery-names.ts';
import { gallery } from '../ui/words/gallery-words.ts';
import classes from './Policies.module.css';
import { draft as words, starting } from './words/words.ts';
import { DraftPage } from './DraftPage.tsx';
import { namePattern } from '#platform/model/names';

/** A new policy, from an example of the gallery, or from frequent approvals named in the address. */
export function NewPolicyPage() {
  const [search] = useSearchParams();
  const from = search.get('from');
  const name = galleryNames.find((name) => name === from);
  const document = name === undefined ? (ruleDocument(search) ?? startingDocument()) : galleryDocuments[name];
  return (
    <DraftPage key={name} title={words.newTitle} back="/policies" document={document} note="" isNew>
      <nav aria-label={words.examples} className={classes.examples}>
        <span>
          {words.examples}
          {colon}
        </span>
        {galleryNames.map((example) => (
          <Link
            key={example}
            to={`/new-policy?from=${example}`}
            replace
            aria-current={example === name ? 'page' : undefined}
          >
            {gallery[example].title}
          </Link>
        ))}
      </nav>
    </DraftPage>
  );
}

/** Policies for well-known MCP servers, with documented names of tools and arguments. */
const serverDocuments = {
  'filesystem-server': `policy: filesystem-server
description: A person approves each change of files. What only reads is left to your other policies.

# @modelcontextprotocol/server-filesystem, by the name that the gateway gives it.
match:
  server: "*filesystem*"
  tool: [ write_file, edit_file, move_file, create_directory ]

require:
  stages:
    - name: Files
      approvers: anyone
  deadline: 1h
  facts:
    - { label: Path, path: /path }
    - { label: From, path: /source }
    - { label: To, path: /destination }
`,
  'github-server': `policy: github-server
description: A person approves what reaches a repository or starts a workflow.

# github/github-mcp-server
match:
  server: "*github*"
  tool:
    - merge_pull_request
    - push_files
    - create_or_update_file
    - delete_file
    - create_repository
    - actions_run_trigger
    - run_workflow

require:
  risk: high
  stages:
    - name: Repository
      approvers: anyone
      # approvers: { group: maintainers }
  deadline: 8h
  facts:
    - { label: Owner, path: /owner }
    - { label: Repository, path: /repo }
    - { label: Branch, path: /branch }
`,
  'slack-server': `policy: slack-server
description: A person approves each message, except in one channel, and can correct it first.

# @modelcontextprotocol/server-slack
match:
  server: "*slack*"
  tool: [ slack_post_message, slack_reply_to_thread ]

# Put the channels here in which your other policies decide.
when: '!(request.args.channel_id in ["C0123ABCD"])'

require:
  stages:
    - name: Message
      approvers: anyone
  editable:
    text: { type: string }
  deadline: 2h
  facts:
    - { label: Channel, path: /channel_id }
`,
  'postgres-server': `policy: postgres-server
description: An administrator approves every statement but a single plain SELECT.

# crystaldba/postgres-mcp has execute_sql, and the reference server has query.
match:
  server: "*postgres*"
  tool: [ execute_sql, query ]

# A SELECT can still call a function that writes: give the server a login that may only read.
when: >-
  !re2(request.args.sql, r"(?i)^\\s*select\\s[^;]*;?\\s*$")
  || re2(request.args.sql, r"(?i)\\binto\\b")

require:
  risk: high
  stages:
    - name: Database
      approvers: { role: admin }
  deadline: 4h
  facts:
    - { label: Statement, path: /sql }
`,
  'browser-server': `policy: browser-server
description: A person approves sites that are not your own, uploads, and code that runs in a page.

# microsoft/playwright-mcp
match:
  server: "*playwright*"
  tool: [ browser_navigate, browser_file_upload, browser_drop, browser_evaluate, browser_run_code_unsafe ]

# Put your own domain here.
when: >-
  !has(request.args.url)
  || !re2(request.args.url, "^https://([a-z0-9-]+[.])*example[.]com(/|$)")

require:
  stages:
    - name: Browser
      approvers: anyone
  deadline: 1h
  facts:
    - { label: Address, path: /url }
`,
} as const;

/** Complete policies: only the installation's own groups and people are missing. */
export const galleryDocuments: Record<GalleryName, string> = {
  payments: `policy: payments
description: Someone else approves every payment above 1000.

# Put the names of your tools here; * stands for any characters.
match:
  tool: [ "pay*", "transfer*", "refund*" ]

# The argument must have the name that your tool gives it.
when: has(request.args.amount) && request.args.amount > 1000

require:
  risk: high
  stages:
    - name: Payment
      approvers: anyone
      # If no one decides in time, administrators may too.
      escalate: { after: 30m, add: { role: admin } }
    # A second stage, once there is a group:
    # - name: Finance
    #   approve: 2
    #   approvers: { group: finance }
  deadline: 24h
  facts:
    - { label: Amount, path: /amount }
`,
  'payments-by-amount': `policy: payments-by-amount
description: Small payments are confirmed by the requester, larger ones approved, the largest by two people.

# Put the names of your tools here; * stands for any characters.
match:
  tool: [ "pay*", "transfer*", "refund*" ]

# The first rule that fits decides. The argument must have the name that your tool gives it.
rules:
  - when: request.args.amount > 10000
    require:
      risk: high
      stages:
        - name: Two people
          approve: 2
          approvers: anyone
      deadline: 24h
  - when: request.args.amount > 100
    require:
      stages:
        - name: Payment
          approvers: anyone
      deadline: 24h
  # All others. If a call has no amount, the rules above hold together.
  - confirm: { ceiling: medium }
`,
  'production-deploys': `policy: production-deploys
description: An administrator approves every deploy to production, with a change number.

match:
  tool: [ "deploy*", "release*", "rollback*" ]

# Leave this line out if the tool only deploys to production.
when: has(request.args.environment) && request.args.environment == "production"

require:
  risk: high
  stages:
    - name: Release
      approvers: { role: admin }
  justification:
    approver: { minLength: 10 }
  deadline: 8h
  onTimeout: deny
  # No deploys without a second look at the end of the year:
  # freeze:
  #   - { name: year end, from: 2026-12-24T00:00:00Z, until: 2027-01-02T00:00:00Z, approvers: { role: admin } }
`,
  'data-export': `policy: data-export
description: Someone approves every export of data, and gives a reason.

match:
  tool: [ "export*", "download*", "dump*" ]

require:
  risk: high
  stages:
    - name: Data protection
      approvers: { role: admin }
      # approvers: { group: data-protection }
  justification:
    approver: { minLength: 10 }
  deadline: 24h
`,
  deletion: `policy: deletion
description: Whatever deletes is approved by a person, and can be taken back for a moment.

match:
  tool: [ "delete*", "drop*", "remove*", "purge*" ]

require:
  risk: high
  stages:
    - name: Deletion
      approvers: anyone
  # The call waits this long after the approval, so that it can be taken back.
  undo: 30s
  deadline: 24h
  onTimeout: deny
`,
  'outside-email': `policy: outside-email
description: Mail to anyone outside the company waits for a person.

match:
  tool: [ "send_mail*", "send_email*" ]

# Put your own domain here.
when: has(request.args.to) && !request.args.to.endsWith("@example.com")

require:
  stages:
    - name: Mail
      approvers: anyone
  # The approver may correct the text before it is sent.
  editable:
    subject: { type: string }
    body: { type: string }
  deadline: 8h
  facts:
    - { label: To, path: /to }
`,
  ...serverDocuments,
};

/** A policy that allows a call people nearly always approved, from the address; null if it names none. */
export function ruleDocument(search: URLSearchParams): string | null {
  const [server, tool] = ['server', 'tool'].map((name) => search.get(name) ?? '');
  const [approved, decided] = ['approved', 'decided'].map((name) => Number(search.get(name)));
  if (server === undefined || !namePattern.test(server) || tool === undefined || !namePattern.test(tool)) return null;
  if (!Number.isSafeInteger(approved) || !Number.isSafeInteger(decided)) return null;
  return `policy: ${nameFor(tool)}
description: People approved ${approved} of ${decided} requests of this tool, so it runs without them.

match:
  server: ${JSON.stringify(server)}
  tool: ${JSON.stringify(tool)}

# Keep what was declined with people, for example:
# when: has(request.args.amount) && request.args.amount <= 1000

# Only what is of low risk. Above medium it needs a condition that limits an argument, and an end.
allow: { ceiling: low }
`;
}

const nameFor = (tool: string): string =>
  `allow-${tool
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 50)}`;

/** A small complete policy to begin with, with hints in comments. */
export const startingDocument = (words: typeof starting = starting): string => `# ${words.suggestions}
policy: new-policy
description: ${words.purpose}

# ${words.match}
match:
  tool: [ transfer, "pay-*" ]

# ${words.when}
when: request.args.amount > 1000

# ${words.require}
require:
  # ${words.stages}
  stages:
    - name: Manager
      approvers: { manager: requester }
      # ${words.escalate}
      escalate: { after: 10m, add: { role: admin } }
    # - name: Finance
    #   approve: 2
    #   approvers: { group: finance }
  deadline: 24h
`;
