import { disguises } from './disguises.ts';

/** Letters of other scripts that are drawn like these, as Unicode's list of confusables has them. */
const confusables: Record<string, string> = {
  a: 'аɑα⍺ａ𝐚𝑎𝒂𝓪ᴀªā',
  b: 'ЬƄᏏｂ𝐛ḃ',
  c: 'сϲⅽᴄⲥꮯｃ𝐜ç',
  d: 'ԁⅾᏧꓒｄ𝐝ḋ',
  e: 'еєҽℯｅ𝐞ė',
  g: 'ɡᶃցｇ𝐠ġ',
  h: 'һհᏂｈ𝐡ḣ',
  i: 'іɩıⅰιꙇｉ𝐢ì',
  j: 'јϳｊ𝐣ĵ',
  k: 'κкｋ𝐤ķ',
  l: 'ⅼاלｌ𝐥ӏĺ',
  m: 'ⅿｍ𝐦ṁ',
  n: 'ոռｎ𝐧ñ',
  o: 'оοօ०๐ｏ𝐨ọ',
  p: 'рρ⍴ｐ𝐩ṗ',
  r: 'гᴦｒ𝐫ŕ',
  s: 'ѕꜱｓ𝐬ś',
  t: 'тτｔ𝐭ţ',
  u: 'υսᴜｕ𝐮ù',
  v: 'ѵνⅴｖ𝐯ṿ',
  x: 'хⅹｘ𝐱ẋ',
  y: 'уγүｙ𝐲ý',
  '@': '＠﹫',
  '.': '․。．',
  ':': '：ː꞉',
};

/** A source of numbers that begins again with each test run, so that a failure comes back. */
export function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

type Pick = (below: number) => number;
type Spell = (name: string, pick: Pick) => string;

const at = (name: string, pick: Pick, change: (character: string) => string): string => {
  const characters = [...name];
  const place = pick(characters.length);
  return characters.map((character, index) => (index === place ? change(character) : character)).join('');
};
const hiddenOnes = disguises.map(({ text }) => [...text][3] ?? '').filter((character) => !/[a-z]/.test(character));
const pickFrom = <T>(list: readonly T[], pick: Pick): T => list[pick(list.length)] as T;

const spells: Spell[] = [
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => name.charAt(0).toUpperCase() + name.slice(1),
  (name, pick) => at(name, pick, (character) => character.toUpperCase()),
  (name, pick) => at(name, pick, (character) => pickFrom([...(confusables[character] ?? 'ａ')], pick)),
  (name, pick) => [...name].map((character) => pickFrom([...(confusables[character] ?? character)], pick)).join(''),
  (name, pick) => at(name, pick, (character) => character + pickFrom(hiddenOnes, pick)),
  (name, pick) => pickFrom(hiddenOnes, pick) + name,
  (name, pick) => name + pickFrom([' ', '\t', '\n', '\u00A0', '\u2003', '\u200B', '\u00AD', '\uFEFF', '\0'], pick),
  (name, pick) => pickFrom([' ', '\t', '\r\n', '\u3000'], pick) + name,
  (name, pick) => at(name, pick, (character) => `${character}${pickFrom(['\u0301', '\u0323', '\u034F'], pick)}`),
  (name) => name.replaceAll(/[!-~]/g, (character) => String.fromCodePoint(character.charCodeAt(0) + 0xfee0)),
  (name) => (name.includes('@') ? `mailto:${name}` : ` ${name}`),
  (name) => `<${name}>`,
  (name) => `Ada <${name}>`,
  (name) => `"${name}"`,
  (name) => `${name} (Ada)`,
  (name) => (name.includes('@') ? `${name}.` : `${name}\u2060`),
  (name) => (name.includes('@') ? `"${name.replace('@', '"@')}` : `${name}\u200B`),
  (name, pick) => (name.includes('@') ? name.replace('@', `+${pick(1000)}@`) : name.toUpperCase()),
];

/** So many different spellings of a name, one to three changes away from it. */
export function spellingsOf(name: string, count: number, pick: Pick): string[] {
  const result = new Set<string>();
  for (let index = 0; result.size < count; index += 1) {
    const changes = Math.min(3, 1 + Math.floor(index / spells.length));
    let spelling = spells[index % spells.length]?.(name, pick) ?? name;
    for (let more = 1; more < changes; more += 1) spelling = pickFrom(spells.slice(1), pick)(spelling, pick);
    result.add(spelling);
  }
  return [...result];
}
