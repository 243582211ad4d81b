import type { GalleryName } from '../../ui/words/gallery-names.ts';
import { serverDocuments } from './server-documents.ts';

/** Whole policies that hold as they are: only groups and people of one's own are missing. */
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
