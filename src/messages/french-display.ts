import type { ProblemCode } from '#platform/model/problem';
import type { RefusalCode } from '#requests/inbox/contract/refusal';
import type { DisplayWords } from './display-words.ts';

/** The sentence of every problem code, in French. */
const frenchProblems: Record<ProblemCode, string> = {
  INVALID_INPUT: 'Vérifiez la saisie : une valeur n’est pas valide.',
  ELICITATION_NOT_SUPPORTED: 'Utilisez un autre mode : ce client ne peut pas poser la question ainsi.',
  ELICITATION_TIMEOUT: 'Redemandez : personne n’a répondu à temps.',
  'already-closed': 'Il n’y a plus rien à faire : cette demande est déjà décidée ou terminée.',
  'not-now': 'Rechargez la demande : cette action n’est pas possible en ce moment.',
  'already-voted': 'Vous avez déjà voté sur cette demande.',
  'digest-mismatch': 'Relisez la demande, puis décidez : elle a changé depuis que vous l’avez vue.',
  'idempotency-mismatch': 'Utilisez une nouvelle clé d’idempotence : celle-ci a servi pour une autre demande.',
  'already-executed': 'Redemandez pour une autre exécution : cette approbation en a déjà libéré une.',
  'not-claimed': 'Réservez d’abord cet appel : seule la tentative qui l’a réservé peut le terminer.',
  'approval-lapsed': 'Redemandez : cette approbation n’est plus valable et ne libère rien.',
  stopped: 'Attendez que l’administration lève l’arrêt : d’ici là, rien de cela ne s’exécute.',
  'outcome-unknown':
    'Vérifiez ce qui s’est passé avant de redemander : cet appel a été approuvé et lancé, mais sa fin n’a jamais été enregistrée.',
  'write-conflict': 'Réessayez : trop de modifications sont arrivées ensemble, et rien n’a été modifié.',
  'not-found': 'Vérifiez l’adresse : il n’y a rien ici, ou vous ne pouvez pas le voir.',
  unauthenticated: 'Connectez-vous, ou envoyez une clé ou un jeton valide.',
  forbidden: 'Adressez-vous à l’administration : vous ne pouvez pas faire cela.',
  'reason-needed': 'Dites d’abord pourquoi vous voulez lire cette demande. Votre motif est consigné.',
  'fresh-sign-in-needed': 'Confirmez votre identité, puis recommencez.',
  'second-factor-needed': 'Terminez la connexion sur la page de la console : il manque un second facteur.',
  'passkey-needed': 'Signez avec une clé d’accès de votre profil.',
  'passkey-refused': 'Réessayez avec votre clé d’accès.',
  'cross-site': 'Rechargez la console et réessayez : cette requête venait d’un autre site.',
  'token-invalid': 'Demandez un nouveau lien : celui-ci n’est pas valable.',
  'sealed-unreadable':
    'Demandez à l’administration de retirer cette demande : elle est scellée avec un secret que ce nœud n’a pas.',
  'content-erased': 'Lisez ce qui reste de cette demande : son contenu a été effacé.',
  unproven:
    'Demandez à l’exploitation d’exécuter « assentry audit verify » : les données enregistrées ne sont pas ce qui a été décidé.',
  'rate-limited': 'Attendez, puis réessayez : il y a eu trop de requêtes.',
  overloaded: 'Attendez une seconde, puis renvoyez la même requête : ce nœud a trop à faire.',
  'body-too-large': 'Envoyez moins : le corps de la requête dépasse la limite.',
  'unsupported-media-type': 'Envoyez application/json.',
  'method-not-allowed': 'Utilisez une autre méthode : cette adresse n’accepte pas celle-ci.',
  'config-invalid': 'Vérifiez la configuration : un réglage n’est pas valide.',
  'database-unavailable':
    'Renvoyez la même requête, avec sa clé d’idempotence s’il y en avait une : la base de données ne répond pas, et il n’est pas certain que la requête ait été enregistrée.',
  'migration-failed': 'Vérifiez la base de données : elle n’a pas pu être mise à jour.',
  'already-exists': 'Choisissez un autre nom : celui-ci existe déjà.',
  unavailable: 'Réessayez plus tard : Assentry est injoignable.',
  'shutting-down': 'Réessayez : ce nœud est en train de s’arrêter.',
  'policy-invalid': 'Corrigez la politique : elle contient des erreurs.',
  'policy-unreadable': 'Demandez à l’exploitation de corriger une politique publiée : elle est illisible.',
  'policy-denied': 'Modifiez la demande : les politiques la refusent.',
  unsatisfiable: 'Adressez-vous à l’administration : trop peu de personnes peuvent décider cela.',
  'proof-invalid': 'Ne vous fiez pas à cette preuve : elle n’est pas valable.',
  internal: 'Vérifiez l’état avant de recommencer : une erreur s’est produite dans Assentry.',
};

/** Why a person may not do something, in French. */
export const frenchRefusals: Record<RefusalCode, string> = {
  'acr-needed':
    'Reconnectez-vous chez votre fournisseur d’identité : la politique exige une connexion qu’il confirme comme {acr}.',
  'has-ended': 'Cette demande est terminée.',
  'approvers-decide': 'Seules l’administration et les personnes chargées d’approuver peuvent décider des demandes.',
  'requester-answers': 'C’est la personne au client MCP qui répond à cette demande.',
  'is-requester': 'Vous ne pouvez pas décider : la demande vient de vous.',
  'is-excluded': 'Vous ne pouvez pas décider : la politique vous exclut.',
  'for-requester': 'Vous ne pouvez pas décider : la demande vient de quelqu’un pour qui votre vote compte aussi.',
  'for-voter':
    'Quelqu’un pour qui votre vote compte aussi a déjà voté : la personne que vous représentez, ou celle qui a créé votre accès.',
  'has-voted': 'Vous avez déjà voté.',
  'approved-by-you': 'Vous avez déjà approuvé cette demande.',
  'declined-by-you': 'Vous avez déjà refusé cette demande.',
  'approved-by-other': '{name} a approuvé cette demande avant vous.',
  'declined-by-other': '{name} a refusé cette demande avant vous.',
  'other-stage': 'Cette étape revient à d’autres personnes.',
  'waits-for-start': 'Tout le monde a approuvé ; la demande attend l’heure de début.',
  'longest-deadline': 'Une demande peut rester ouverte 30 jours au plus.',
  'no-vote-here': 'Vous n’avez pas voté sur cette demande.',
  'revoke-approved': 'Seule une approbation peut être révoquée.',
  'revoke-own': 'Seules les personnes qui ont approuvé, ou l’administration, peuvent révoquer cela.',
  'already-lapsed': 'Cette approbation était déjà révoquée, ou n’était plus valable au moment de servir.',
  'has-begun': 'L’appel a déjà commencé ou s’est terminé.',
  'lift-by-other': 'Quelqu’un d’autre doit lever votre arrêt.',
  'already-lifted': 'Cet arrêt est déjà levé.',
  'content-held': 'Une conservation légale protège ce contenu. Deux administrateurs peuvent y mettre fin.',
  'content-needed':
    'Ce contenu est encore nécessaire : la demande est ouverte, sa réponse peut encore être lue, une approbation permanente s’appuie dessus, ou sa dérogation d’urgence n’a pas été examinée.',
  'nothing-to-erase': 'Il n’y a aucun contenu à effacer.',
  'hold-released': 'Cette conservation légale a déjà pris fin.',
  'edits-not-allowed':
    'La politique ne permet pas de modifier cette demande, ou son outil n’accepte pas de modification.',
  'too-many-stages': 'Cette demande a déjà autant d’étapes qu’elle peut en avoir.',
  'watched-by-other': 'Quelqu’un d’autre examine déjà cela.',
  'inquiry-open': 'Une question à la personne qui demande est encore ouverte.',
  'discussion-full': 'Cette discussion a atteint sa limite.',
  'no-start': 'La politique ne prévoit pas d’heure de début.',
  'needs-break-glass': 'Seules les personnes qui ont droit à la dérogation d’urgence peuvent faire cela.',
  'reviewers-judge': 'Seules l’administration et les personnes chargées du contrôle peuvent faire cela.',
  'decided-by-policy': 'Cette demande a été décidée par sa politique.',
  'not-sampled': 'Cette demande n’a pas été choisie pour un contrôle ultérieur.',
  'own-override': 'Quelqu’un d’autre doit examiner votre dérogation.',
  'own-request': 'Quelqu’un d’autre doit examiner ce que vous avez demandé.',
  'already-reviewed': 'Cela a déjà été examiné.',
  'not-delegated': 'Personne ne vous a délégué son vote sur cette demande.',
  'high-risk-alone': 'Décidez des demandes à haut risque une par une.',
  'presence-alone':
    'Approuvez sur la page de la demande : sa politique exige une preuve de l’identité de qui approuve.',
  'no-votes-to-delegate': 'Votre rôle n’a pas de vote à déléguer.',
  'no-review-due': 'Cette approbation permanente n’a pas à être examinée.',
  'not-in-force': 'Cette approbation permanente n’est plus en vigueur.',
  'receipt-when-ended': 'Le reçu est disponible une fois la demande terminée.',
  'receipt-soon': 'Réessayez dans un instant : le journal enregistre encore cette décision.',
  'authors-change-policies':
    'Seules l’administration et les personnes qui rédigent les politiques peuvent les modifier.',
  'administrators-publish': 'Seule l’administration peut publier des politiques.',
  'not-a-draft': 'Seuls les brouillons peuvent être modifiés. Écrivez une nouvelle version.',
  'draft-of-other': 'Ce brouillon est à quelqu’un d’autre.',
  'already-submitted': 'Cette version a déjà été soumise.',
  'not-in-review': 'Cette version n’est pas en relecture.',
  'own-version': 'Quelqu’un d’autre doit relire ce que vous avez écrit.',
  'not-approved': 'Seule une version approuvée peut être publiée ou fonctionner en mode ombre.',
  'is-published': 'Cette version est déjà publiée.',
  'newer-published': 'Une version plus récente est publiée. Rétablissez plutôt celle-ci.',
  'is-draft': 'C’est déjà un brouillon.',
  'submit-first': 'Soumettez-la d’abord à la relecture : un brouillon peut encore changer.',
  'was-rejected': 'Cette version a été rejetée.',
  'too-many-versions': 'Cette politique a atteint sa limite de versions.',
  'administrators-only': 'Seule l’administration peut faire cela.',
  'operators-only': 'Seules l’administration et l’exploitation peuvent faire cela.',
  'authors-and-operators-only':
    'Seules l’administration, l’exploitation et les personnes qui rédigent les politiques peuvent lire cela.',
  'reviewers-read-log': 'Seules l’administration et les personnes chargées du contrôle peuvent lire le journal.',
  'second-administrator': 'Quelqu’un d’autre de l’administration doit accepter cela.',
  'no-second-administrator':
    'Personne d’autre de l’administration ne peut accepter cela en ce moment. Demandez à l’exploitation de faire la modification dans le terminal.',
  'administrator-by-token':
    'Désactivez une personne de l’administration, ou changez son rôle, vous-même : un programme ne le peut pas.',
  'change-outdated': 'Ce qui devait changer n’est plus comme le dit cette demande. Redemandez.',
  'change-too-late': 'Cela a été accepté, mais pas exécuté dans l’heure. Redemandez.',
  'own-access':
    'Vous ne pouvez pas vous désactiver. Adressez-vous à quelqu’un d’autre de l’administration, ou exécutez : assentry {command}',
  'own-power':
    'Vous ne pouvez pas modifier vos propres droits. Adressez-vous à quelqu’un d’autre de l’administration, ou exécutez : assentry {command}',
  'own-report':
    'Vous ne pouvez pas vous désigner responsable de quelqu’un. Adressez-vous à quelqu’un d’autre de l’administration, ou exécutez : assentry {command}',
  'own-membership':
    'Vous ne pouvez pas vous ajouter à un groupe. Adressez-vous à quelqu’un d’autre de l’administration, ou exécutez : assentry {command}',
  'own-leaving':
    'Vous ne pouvez pas vous retirer d’un groupe. Adressez-vous à quelqu’un d’autre de l’administration, ou exécutez : assentry {command}',
  'own-confirmation':
    'Vous ne pouvez pas confirmer votre propre appartenance. Adressez-vous à l’administration ou à une autre personne responsable, ou exécutez : assentry {command}',
  'owners-confirm': 'Seules les personnes responsables du groupe et l’administration peuvent confirmer ses membres.',
  'no-confirmation-needed': 'Personne n’a à confirmer les membres de ce groupe.',
  'members-changed': 'Les membres ont changé depuis que vous les avez vus. Relisez la liste.',
  'own-server':
    'Vous ne pouvez pas changer vous-même les serveurs dont vous répondez. Adressez-vous à quelqu’un d’autre de l’administration, ou exécutez : assentry {command}',
  'own-link':
    'Vous ne pouvez pas créer de lien de mot de passe pour vous-même. Adressez-vous à quelqu’un d’autre de l’administration, ou exécutez : assentry {command}',
  'link-from-operator':
    'Demandez à l’exploitation d’exécuter : assentry {command}. La commande affiche le lien de cette personne ; la console ne le montre pas.',
  'last-administrator':
    'C’est la dernière personne de l’administration. Une autre doit d’abord définir un mot de passe.',
  'person-disabled': 'Cette personne est désactivée. Réactivez-la d’abord.',
  'role-in-use': 'Donnez d’abord un autre rôle à ces personnes : {people}.',
  'role-in-policy': 'La politique {policy} nomme ce rôle. Modifiez d’abord la politique.',
  'person-exists': 'Il y a déjà quelqu’un avec cette adresse e-mail.',
  'group-exists': 'Il y a déjà un groupe de ce nom.',
  'group-not-provisioned': 'Aucun fournisseur d’identité n’a créé ce groupe : il compte déjà.',
  'group-in-policy': 'La politique {policy} nomme ce groupe. Modifiez d’abord la politique.',
  'group-name-in-policy': 'La politique {policy} s’appuie sur un groupe de ce nom. Modifiez d’abord la politique.',
  'wrong-password': 'L’adresse e-mail et le mot de passe ne vont pas ensemble.',
  'open-first':
    'Ouvrez la demande dans la console et lisez-la avant d’approuver : sa politique, ou son risque, l’exige.',
  'open-long':
    'Ouvrez chaque longue valeur des arguments et lisez-la jusqu’au bout avant d’approuver. Non ouvertes : {values}.',
  'read-first': 'Lisez la demande : vous pourrez l’approuver dans {seconds} s.',
  'pause-first':
    'Vous avez approuvé beaucoup de demandes, ou plusieurs en quelques secondes chacune. Vous pourrez continuer dans {seconds} s.',
  'other-tools': 'Cette clé n’est pas pour l’outil {tool}. Demandez à l’administration une clé qui le soit.',
  'key-revoked': 'Créez plutôt une clé : celle-ci a été révoquée.',
  'key-expired': 'Créez plutôt une clé : celle-ci a expiré.',
  'key-rotated':
    'Utilisez la clé {next} : elle a été créée pour succéder à celle-ci. Si elle est perdue, créez-en une autre.',
  'link-used': 'Demandez un nouveau lien : celui-ci a déjà servi ou a expiré.',
};

export const displayWords: DisplayWords = { problems: frenchProblems, refusals: frenchRefusals };
