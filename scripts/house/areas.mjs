// Which subject (and part of it) each source file is about: of several patterns the first counts.
// area <- patterns (of paths below src/, without .ts). First match wins.
export const areas = `
# --- platform
platform/model        protocol/model/(decimal|field-fault|hashed-text|id|identity|limiter|names|problem|system-error|traceparent|own-path)
platform/text         protocol/model/text/.*
platform/form         protocol/form/(?!english-faults).*
platform/crypto       core/crypto/(?!passkeys|passwords|totp|push|webhooks|tokens|sign-in-attempt|known-device|api-key|credential-box|view-box|action-digest).*
access/tokens         core/crypto/(tokens/(token|shown-token)|one-time-secret|api-key)
platform/crypto       core/crypto/tokens/bound-nonce
requests/asking       core/crypto/(action-digest)
requests/inbox        core/crypto/view-box
connect/credentials   core/crypto/credential-box
access/sign-in        core/crypto/(sign-in-attempt|known-device)
access/passkeys       core/crypto/passkeys/.*
access/passwords      core/crypto/passwords/.*
access/factors        core/crypto/totp/.*
notify/push           core/crypto/push/.*
notify/webhooks       core/crypto/webhooks/.*
platform/bearer       gateway/bearer/.*
platform/http         core/http/.*|server/api/http/.*|server/listener|protocol/contract/http/.*|server/api/app|protocol/contract/(openapi|routes)|server/api/routes/(answer-change|on-elicitation|report-route)
platform/database     server/store/(database/(?!role-holders).*|transactor|snapshot|state-snapshot|store|gauges)
platform/embedded     embedded/.*
platform/process      server/log|server/package/.*
platform/nodes        server/store/nodes|server/engine/(engine|clock|health|feed|follow-changes|networks|list-page|time-after)|server/worker/(loop|alarm|dispatcher|presence-loop|storing-loop|surroundings-loop)|server/installation/metrics|protocol/contract/(operator-routes|ready)|protocol/model/notifications/node-warning|server/api/routes/(operator-routes|state-routes)
platform/config       server/config/.*
server                server/(server)|server/installation/(await-database|check-database|directory-of|installation|open-clock|open-key-ring|open-operator|operator|prepare-database|record-settings|server-options|serving-note)|server/installation/read-tokens
cli                   cli/serve/(config|examine-node|serve|signals|start-serving|worker.*)|cli/(main|migrate|doctor|own-program|own-orchestrator)|cli/terminal/(administration|settings|output|read-text|own-files)
# --- requests
requests/machine      core/machine/.*|protocol/contract/console/machine|server/engine/inbox/show-machine
requests/facts        protocol/model/key-facts/.*|protocol/contract/console/shown-fact
requests/asking       server/engine/asking/(?!claim-call|end-call|find-call|revoke-approval|show-tool-call|internal/(find-lapse|release)|send-test-request).*|server/store/elicitation/(opening-statement|call-memos|once-calls|passed-calls?|reader|load|due-timers|outbox)|protocol/contract/servers/(elicitation|memo|pass|request-state)|server/api/routes/server-routes|protocol/contract/elicitation-routes|protocol/model/elicitation|server/engine/elicitation/(sealed-passed-call|question-digest|sealed-question|requesters|shown-requester|wait-for-outcome|mark-caller|accepted-content)|protocol/contract/servers/identity
requests/claims       server/engine/asking/(claim-call|end-call|find-call|revoke-approval|show-tool-call|internal/(find-lapse|release))|server/store/(elicitation/(call-row|tool-calls)|tables/tool-call)|protocol/contract/servers/tool-call
requests/state        server/engine/elicitation/(change|answer-elicitation|cancel-elicitation|take-due-timers|intent|internal/preceding-change|readable|facts|permissions|policy-terms|revalidate|grant-binding|assert-vote)|server/store/elicitation/(change-statement|row|row-digests|proven-rows|selected)|server/store/tables/(elicitation)|server/worker/(timer-loop|change-loop)|server/engine/(proven-row)
requests/voting       server/engine/voting/.*|protocol/model/(signed-vote|quorum|stage)|protocol/contract/console/(bulk-vote|vote-result|shown-stage)
requests/deliberation server/engine/deliberation/.*|server/store/elicitation/proceedings|server/store/tables/proceedings|protocol/contract/console/deliberation.*|server/api/routes/deliberation-routes
requests/grants       server/engine/grants/.*|server/store/elicitation/grant.*|server/store/tables/grant|protocol/contract/console/grant|server/api/routes/grant-routes
requests/stops        server/engine/stops/.*|server/store/elicitation/stops|server/store/tables/stop|protocol/contract/console/stop|protocol/model/stop|server/api/routes/stop-routes|cli/stop
requests/inbox        server/engine/inbox/.*|server/store/inbox/.*|server/store/elicitation/(past-requests|viewer|visibility)|server/store/users/saved-views|server/engine/visibility/.*|protocol/contract/console/(console|inbox-query|timeline|signal)|protocol/contract/(view-routes|history-routes)|server/api/routes/(console-routes|history-routes|stream-routes)|server/api/routes/users/view-routes|protocol/model/refusal
requests/tests        server/engine/asking/send-test-request|protocol/contract/console/test-request
requests/pages        server/engine/pages/.*|server/store/elicitation/(page-proofs|page-tries|tokens|callback-reports)|server/api/pages/.*|protocol/contract/servers/token|server/worker/report-loop
# --- policies
policies/language     core/policy/(cel|parsing|drafting)/.*
policies/terms        core/policy/terms/require/.*
policies/document     core/policy/terms/.*
policies/deciding     core/policy/(deciding|stages)/.*|server/engine/(judging/.*|rules|decision-basis|assert-may)|protocol/model/policy-clause|protocol/contract/policies/policy-clause
policies              server/engine/policies/.*|server/store/(policies|policies-in-force)|server/store/tables/policies|protocol/contract/policies/.*|protocol/model/policy|protocol/contract/policies/policy-routes|server/api/routes/(policy-routes|always-routes)|cli/policy/.*|cli/serve/first-policies|server/installation/policy-files
# --- people
people/directory      server/engine/(users/(change-directory|directory.*|in-directory|show-directory|power|built-in-server|internal/(own-power|taken-power))|directory-of|actor-of-server|key-scope)|server/store/users/(directory.*|user-row|row-digests|unrevoked)|server/store/tables/directory|protocol/model/(permission|user|presence)
people/users          server/engine/users/(add-user|change-user)|server/store/users/(users|access)|protocol/contract/users/(users|list-query)|server/api/routes/users/users-routes|cli/(user|user-add)|cli/terminal/format-user
people/groups         server/engine/users/(change-group|adopt-group|confirm-group|internal/assert-group-not-named)|protocol/model/group-confirmation|protocol/contract/users/group-confirmation|server/api/routes/users/group-confirmation-routes|cli/group
people/roles          server/store/database/role-holders|server/engine/users/custom-roles|protocol/model/roles/.*|protocol/contract/users/roles|server/api/routes/users/role-routes|cli/role|server/installation/roles-operator
people/spaces         server/engine/users/change-space|protocol/contract/users/spaces|server/api/routes/users/space-routes|cli/space|server/installation/spaces-operator
people/delegations    server/engine/users/(delegate|acting-for)|server/store/users/delegations|protocol/contract/console/delegation|server/api/routes/users/delegation-routes
people/accounts       server/engine/(account-pairs|users/decide-pair)|server/store/users/linked-identities|protocol/model/accounts/.*|protocol/contract/users/account-pairs|server/api/routes/users/account-pair-routes|cli/users/user-pair
people/changes        server/engine/changes/.*|protocol/contract/users/change
people/declared       server/engine/users/declared/.*|protocol/contract/users/apply|server/api/routes/users/apply-routes|cli/apply
# --- access
access/sign-in        server/engine/users/(sign-in/(assert-strong-sign-in|own-sessions|sessions|internal|link).*|mailed-link)|server/store/users/(sessions|own-sessions|links|sign-in-budgets)|protocol/model/(authentication|sign-in/(sign-in-problem))|protocol/contract/users/account|protocol/contract/console/addresses|server/api/routes/users/(sign-in-routes|account-routes)|cli/serve/set-up-link
access/passwords      server/engine/users/(sign-in/password/.*|own-password|password-link)
access/passkeys       server/engine/users/sign-in/passkey/.*|server/store/users/passkeys|protocol/model/passkey|protocol/contract/users/passkeys|protocol/contract/console/passkey-sign-in|server/api/routes/users/passkey-routes
access/factors        server/engine/users/sign-in/second-factor/.*|server/store/users/second-factors|server/store/tables/factors|protocol/model/sign-in/second-factor|protocol/contract/users/second-factor|server/api/routes/users/second-factor-routes
access/oidc           server/oidc/.*|server/engine/users/federation/.*|server/store/users/federation|protocol/model/sign-in/(identity-provider|sign-in-provider)|protocol/contract/users/sign-in-provider|server/installation/open-sign-in
access/scim           server/engine/users/(provisioning/.*|internal/provisioned)|server/store/users/scim-tokens|protocol/model/scim-problem|protocol/contract/users/scim.*|server/api/routes/users/scim-routes|cli/scim|server/installation/scim-operator
access/keys           server/engine/users/(key-networks|keys-to-rotate|rotate-key|server-key)|server/engine/tools/.*|server/store/users/(servers|server-tools)|protocol/model/key-marks|protocol/contract/users/(key|tool)|server/api/routes/key-routes|cli/(key|server)|server/installation/keys-operator|server/worker/key-loop
access/tokens         server/engine/(users/admin-tokens|read-token)|server/store/users/admin-tokens|protocol/contract/users/admin-token|server/api/routes/users/admin-token-routes|cli/token
access/workloads      server/engine/users/workloads|server/store/users/workloads|protocol/model/workload|protocol/contract/users/workload|server/api/routes/users/workload-routes|cli/workload|server/installation/(open-workloads|workloads-operator)
# --- audit
audit/entries         core/audit/(events/.*|entry|evidence|request-record|search-keys|leaf)|server/store/tables/entry|server/store/log/(sealed-entry|proof|access-log|sign-in-changes|asked-names|approvals|decided-by)|server/engine/access-.*|server/worker/access-loop
audit/tree            core/audit/(base64|checkpoint|cosignature|device-signature|entry-bundle|judge-note|log-keys|merkle-.*|signed-note|tile|witness-offer)|server/store/log/(merkle-log|cosignatures)|server/engine/log/(check-head|log-keys|offer-checkpoint|sequence-log|witnessed)|server/witness/.*|server/worker/(witness.*|sequencer-loop)|server/installation/(open-head|open-witnesses)|cli/serve/witness|protocol/contract/log-routes|server/api/routes/log-routes
audit/verify          core/audit/(log-check|state-check)|server/engine/log/(verify-log|internal/.*|standing-proof|readiness)|server/store/log/log-snapshot|server/worker/proof-loop
audit/receipts        core/audit/(receipt|signed-receipt)|server/engine/log/(issue-receipt|verify-receipt)|cli/log/receipt.*
audit/exports         core/audit/export/.*|server/engine/log/(export-entries|export-log)|cli/log/(audit|export|filter-options)
audit/search          server/engine/log/(read-log|search-log|show-record|unknown-in)|server/store/log/(entry-conditions|entry-search)|protocol/contract/console/audit|server/api/routes/audit-routes|cli/auditor
audit/reports         server/engine/reports/.*|server/store/log/(reports|insight.*)|protocol/model/report|protocol/contract/insights-routes|cli/log/report-progress|server/worker/insight-loop
audit/streams         server/engine/log/stream-log|server/store/log/streams|protocol/model/notifications/log-stream|server/worker/streams/.*|cli/log/streams
# --- notify
notify/chat/slack     server/channels/slack/.*
notify/chat/msteams   server/channels/msteams/.*
notify/chat/pagerduty server/channels/pagerduty/.*
notify/chat           server/engine/chat/.*|server/channels/(chat|slack|msteams|pagerduty)/.*|server/channels/chats|server/channels/parts/(chat|vote-button)|server/store/elicitation/chat|protocol/contract/console/chat|server/api/routes/chat-routes|server/worker/chat.*|protocol/model/channels
notify/mail/words     server/channels/words/.*
notify/mail           server/channels/email/.*|protocol/model/notifications/mail-server|server/worker/notifications/warn-of-mails
notify/push           server/channels/push/.*|server/store/users/devices|server/engine/notifications/devices
notify/webhooks       server/engine/webhooks/.*|server/channels/(webhook-channel|standard/.*)|server/channels/parts/webhook.*|server/store/notifications/webhooks|protocol/model/notifications/webhook|protocol/contract/console/webhook|server/api/routes/webhook-routes|cli/webhook|server/installation/webhooks-operator|server/channels/parts/reachable-addresses
notify                server/engine/notifications/.*|server/channels/.*|server/store/notifications/.*|protocol/model/notifications/.*|protocol/contract/console/notification|server/api/routes/users/notification-routes|cli/notification|cli/terminal/advise-delivery|server/worker/notifications/.*
# --- connect
connect/credentials   server/engine/credentials/.*|server/store/users/credentials|protocol/contract/servers/credential|cli/credential
# --- keeping
keeping/content       server/store/tables/passed-call|server/engine/keeping/.*|server/store/keeping/.*|protocol/contract/console/keeping|server/api/routes/keeping-routes|cli/content|server/worker/upkeep-loops
keeping/backup        server/installation/backup/.*|server/store/backup/.*|cli/backup
keeping/secrets       server/engine/secrets/.*|server/store/secrets|cli/secrets
# --- gateway
gateway/known-tools   protocol/model/known-tools/.*
gateway               cli/(wrap|gateway.*|serve-gateway)
gateway/harness       cli/hook
# --- words
messages              messages/.*|protocol/form/english-faults
`
  .trim()
  .split('\n')
  .filter((l) => !l.startsWith('#'))
  .map((l) => {
    const [area, p] = l.split(/\s+/);
    return [area, new RegExp(`^(?:${p})$`)];
  });
const roles = [
  ['verbs', /^server\/engine\/engine$/],
  ['contract', /^protocol\/|^messages\//],
  ['client', /^core\/http\//],
  ['rules', /^core\//],
  ['store', /^server\/store\/(?!store$)/],
  ['verbs', /^server\/engine\//],
  ['channel', /^server\/channels\//],
  ['routes', /^server\/api\//],
  ['operator', /^server\/installation\/(.*-operator|policy-files)$/],
  ['loops', /^server\/worker\//],
  ['main', /^cli\/(serve\/(config|examine-node|serve|signals|start-serving|worker.*)|main|migrate|doctor|own-program|own-orchestrator|terminal\/administration)$/],
  ['command', /^cli\//],
  ['wiring', /^server\//],
];
/** Parts of the platform that hold one kind of thing and have no roles. */
const flat = /^platform\/(model|text|form|crypto|bearer|database|embedded|process|config)$/;
export const roleless = /^(policies\/terms|notify\/chat\/(slack|msteams|pagerduty)|notify\/mail\/words|messages|gateway\/known-tools|server|cli)$/;
export function place(f) {
  const name = f.replace(/\.tsx?$/, '').replace(/^src\//, '');
  if (/^(gateway(?!\/bearer)|sdk)\//.test(name))
    return {
      area: name.replace('/internal/', '/').split('/').slice(0, -1).slice(0, 3).join('/'),
      role: 'x',
    };
  const hit = areas.find(([, p]) => p.test(name));
  const role = roles.find(([, p]) => p.test(name))?.[0] ?? '?';
  return { area: hit?.[0] ?? '??', role: flat.test(hit?.[0] ?? '') ? 'x' : role };
}
export const webAreas = `
requests/decide       pages/request/.*
requests/together     pages/inbox/together/.*
requests/inbox        pages/inbox/.*|lib/(inbox-url|use-live-inbox|use-waiting|argument-rows|first-line|stray-numbers|reviews-due)|api/(inbox|elicitations|test-request|plain-answers)
requests/stops        pages/users/overview/(Stop.*)|api/stops
requests/grants       pages/users/overview/Grants.*|api/grants
requests/deliberation pages/users/overview/.*|api/reviews
policies              pages/policies/.*|api/policies
people/accounts       pages/users/pairs/.*
people/roles          pages/users/roles/.*|api/roles|lib/permission-table
people/spaces         pages/users/spaces/.*|api/spaces|lib/space-permission
people/groups         pages/users/groups/.*|lib/groups-due
people/delegations    pages/users/absences/.*
people/users          pages/users/users/.*|api/directory|lib/(directory-queries|use-user|administrator)|pages/users/(user-choices)
access/keys           pages/users/servers/.*|api/keys
access/tokens         api/admin-tokens
access/workloads      pages/users/workloads/.*|api/workloads
access/account        pages/account/.*|api/account
access/passkeys       lib/passkey.*|api/passkeys|ui/PasskeyFacts
access/factors        pages/second-factor/.*|ui/second-factor/.*|api/second-factor|ui/(FreshSignIn|VouchedSignIn|use-proof-form)
access/sign-in        pages/(sign-in|set-up|password)/.*|api/(session|go-to-provider)|lib/(session/.*|own-providers)
notify/webhooks       pages/users/webhooks/.*|api/webhooks
audit/insights        pages/insights/.*|api/insights|ui/charts/.*
audit/log             pages/audit/.*|api/(audit|keeping)
platform/system       pages/users/system/.*|api/system
platform/start        pages/start/.*
settings              pages/users/.*
people/changes        api/changes|ui/(ChangeNotice|WaitingChanges|use-change)
shell                 ui/shell/.*|pages/not-found/.*|lib/(queries|use-hotkeys|announcer|has-words)|later
client                api/.*
language              lib/language/.*
ui                    ui/.*|lib/.*
shell                 main|routes|settings|signed-in
`
  .trim()
  .split('\n')
  .map((l) => {
    const [area, p] = l.split(/\s+/);
    return [area, new RegExp(`^(?:${p})$`)];
  });
export function placeWeb(f) {
  const name = f.replace(/\.tsx?$/, '').replace(/^web\/src\//, '');
  const hit = webAreas.find(([, p]) => p.test(name));
  const isWords = /(^|\/)(english|german|french)[^/]*$|words?$|\/words\/|later-words/.test(name);
  return { area: hit?.[0] ?? '??', role: isWords ? 'words' : 'page' };
}
