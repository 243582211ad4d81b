import { hash, hashRaw, verify } from '@node-rs/argon2';
import { type FieldError, Problem } from '#platform/model/problem';
import { createLimiter } from '#platform/model/limiter';
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

// OWASP's figures for Argon2id: 19 MiB, two passes, one lane.
const cost = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** A hash keeps a core busy: more at the same time would only slow each other, and the node with them. */
const limiter = createLimiter({ concurrency: 2, maxQueue: 64 });

/** Characters. Length makes a password hard to guess, so there are no rules for kinds of characters. */
const minPasswordLength = 15;
const maxPasswordLength = 256;

/** An unknown person's password is checked against this hash of random bytes that no one kept. */
export const decoyHash =
  '$argon2id$v=19$m=19456,t=2,p=1$tNHIE0ifyAX8F4gXc7nBug$NWG7PUiqTVDSB9ZFbOk25oxffacixBXfUwMRmzy6KUM';

/** The text to store, with a separate salt each time. */
export const hashPassword = (password: string): Promise<string> => limiter(() => hash(normalize(password), cost));

/** The hash of a code that a person types, for a salt that several share: as costly to guess as a password. */
export const slowHash = (code: string, salt: Uint8Array): Promise<Buffer> =>
  limiter(() => hashRaw(code, { ...cost, salt }));

/**
 * Is this the password? `null` means an unknown person, or one without a password: the answer is no after the same
 * work, so that no one learns who exists.
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const matches = await limiter(() => verifyHash(stored ?? decoyHash, normalize(password)));
  return stored !== null && matches;
}

/** Faults of a password; none if it can be used. */
export async function checkPasswordStrength(password: string, owner?: PasswordOwner): Promise<FieldError[]> {
  const characters = [...normalize(password)];
  if (characters.length < minPasswordLength) return refuse(`Use at least ${minPasswordLength} characters.`);
  if (characters.length > maxPasswordLength) return refuse(`Use at most ${maxPasswordLength} characters.`);
  if (new Set(characters).size === 1) return refuse('Use more than one different character.');
  if (emailLike.test(password)) return refuse('Use something else: an email address is easy to guess.');
  if (await isGuessable(characters.join(''), owner))
    return refuse('Use something else: common passwords and phrases, names, dates and rows of keys are easy to guess.');
  return [];
}

const emailLike = /^\s*[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+\s*$/;

// Keyboards compose an "é" differently, and the person typed the same.
const normalize = (password: string): string => password.normalize('NFKC');

async function verifyHash(stored: string, password: string): Promise<boolean> {
  try {
    return await verify(stored, password);
  } catch (cause) {
    throw new Problem('internal', { cause });
  }
}

const refuse = (message: string): FieldError[] => [{ path: ['password'], message }];

/** PostgreSQL's own value. */
const iterations = 4096;

/** PostgreSQL's verifier of a password (RFC 5803). With this, neither PostgreSQL nor its log gets the password. */
export function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, iterations, 32, 'sha256');
  const keyed = (text: string): Buffer => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${keyed('Server Key').toString('base64')}`;
}

/** Guesses of someone who tries common passwords, words and patterns first: 10 to this power are enough. */
const fewestGuesses = 9;
/** Letters next to a common phrase that make it hard to guess. */
const minRestLength = 8;
/** Characters that are looked at: the search takes longer than linear time. */
const lookedAt = 64;

/** Inputs an attacker could guess from: name, email. */
export interface PasswordOwner {
  email: string;
  name: string;
}

/**
 * Whether the password is one of those that are stolen or chosen most often, or made of them, of phrases that everyone
 * knows, of its owner's name and address, keys in a row or dates. The lists are loaded when a password is set for the
 * first time.
 */
async function isGuessable(password: string, owner?: PasswordOwner): Promise<boolean> {
  const check = await (loading ??= loadLists());
  const own = owner ? partsOf(owner) : [];
  return holdsPhrase(password) || check(password.slice(0, lookedAt), own).guessesLog10 < fewestGuesses;
}

/** A phrase that everyone knows, however it is spaced, with little more than a year behind it. */
function holdsPhrase(password: string): boolean {
  const letters = password.toLowerCase().replaceAll(/[^\p{L}]/gu, '');
  return commonPhrases.some((phrase) => letters.includes(phrase) && letters.length - phrase.length < minRestLength);
}

/** The name and the address, whole and in their words. */
function partsOf({ email, name }: PasswordOwner): string[] {
  const texts = [email, name, email.split('@')[0] ?? ''];
  const words = texts.flatMap((text) => text.split(/[^\p{L}\p{N}]+/u)).filter((word) => word.length > 2);
  return [...texts, ...texts.map((text) => text.replaceAll(/[^\p{L}\p{N}]/gu, '')), ...words, 'assentry'];
}

type Check = (password: string, own: string[]) => { guessesLog10: number };
let loading: Promise<Check> | undefined;

async function loadLists(): Promise<Check> {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  const lists = { ...dictionary, commonPhrases, commonWords };
  const factory = new ZxcvbnFactory({ dictionary: lists, graphs: adjacencyGraphs });
  return (password, own) => factory.check(password, own);
}

/** Without spaces and in small letters: what people choose who were told to choose a sentence. */
const commonPhrases = (
  'correcthorsebatterystaple tobeornottobe tobeornottobethatisthequestion thequickbrownfox ' +
  'thequickbrownfoxjumpsoverthelazydog loremipsumdolorsitamet loremipsum maytheforcebewithyou ' +
  'iamyourfather hastalavistababy winteriscoming onceuponatime happybirthdaytoyou helloworld ' +
  'letitbe letitgo opensesame nevergonnagiveyouup nevergonnaletyoudown livelongandprosper ' +
  'itsnotabugitsafeature thisismypassword thisisapassword thisisasecret mypasswordis mynameis ' +
  'iforgotmypassword changemeplease changethispassword pleaseletmein iloveyou iloveyousomuch ' +
  'ihatepasswords ihatemyjob wecomeinpeace houstonwehaveaproblem keepcalmandcarryon yeswecan ' +
  'onefinedaywearegoing ringoffire bohemianrhapsody stairwaytoheaven highwaytohell ' +
  'ichliebedich daistmeinpasswort meinpasswort meinpasswortist passwortvergessen hallowelt ' +
  'derfruehevogel alleswirdgut guteshochwetter frohesneuesjahr froheweihnachten allesgutezumgeburtstag ' +
  'seinodernichtsein ichbineinberliner wirschaffendas'
).split(' ');

/** Seasons, months, days and greetings, to which people add a year. */
const commonWords = (
  'spring summer autumn fall winter january february march april may june july august september october november ' +
  'december monday tuesday wednesday thursday friday saturday sunday welcome hello password passphrase secret ' +
  'fruehling frühling sommer herbst januar februar märz maerz mai juni juli oktober dezember montag dienstag ' +
  'mittwoch donnerstag freitag samstag sonntag willkommen hallo passwort kennwort geheim schatz ' +
  'printemps ete automne hiver bonjour motdepasse primavera verano otoño invierno hola contraseña'
).split(' ');
