// Tokens get the numbers that a map of strings would give them, whatever their hashes are.
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { eachToken, searchText, tokensOf } from '../../../../src/read-model/search-text.ts';
import { tokenTable } from '../../../../src/read-model/sqlite/search-index.ts';

const test = suite('token table');

/** Slots at first, of which half are used before there are more. */
const SLOTS = 2 ** 16;

/** Texts cut the plain way. */
const SEPARATORS = /[\s\u0001,+"<>.;:!?()[\]{}/|&=]+/u;
const plainTokens = (text: string): string[] => text.split(SEPARATORS).filter((token) => token !== '');

function cut(text: string): { token: string; hash: number }[] {
  const found: { token: string; hash: number }[] = [];
  eachToken(text, (from, to, hash) => found.push({ token: text.slice(from, to), hash }));
  return found;
}

function hashOf(token: string): number {
  const [first] = cut(token);
  if (first === undefined) throw new Error(`No token in "${token}".`);
  return first.hash;
}

type Table = ReturnType<typeof tokenTable>;

function numbersIn(table: Table, text: string): number[] {
  const numbers: number[] = [];
  eachToken(text, (from, to, hash) => numbers.push(table.numberOf(text, from, to, hash)));
  return numbers;
}

const whole = (table: Table, token: string, hash: number): number => table.numberOf(token, 0, token.length, hash);

/** What a table should do, by a map of strings. */
function plainTable() {
  const known = new Map<string, number>();
  const numberOf = (token: string): number => {
    const number = known.get(token) ?? known.size;
    known.set(token, number);
    return number;
  };
  return { known, numbersIn: (text: string) => plainTokens(text).map(numberOf) };
}

function assertLikeMap(texts: readonly string[]): void {
  const table = tokenTable();
  const plain = plainTable();
  for (const text of texts) assert.equal(numbersIn(table, text), plain.numbersIn(text));
  assert.equal(table.tokens, [...plain.known.keys()]);
}

/** Random words of six letters, two of which have one hash sooner or later. */
function collidingWords(firstLetter: number, letters: number): [string, string] {
  const words = new Map<number, string>();
  let random = 0;
  for (let count = 0; count < 10 ** 6; count++) {
    let word = '';
    while (word.length < 6) {
      random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0;
      word += String.fromCharCode(firstLetter + ((random >>> 8) % letters));
    }
    const hash = hashOf(word);
    const other = words.get(hash);
    if (other !== undefined && other !== word) return [other, word];
    words.set(hash, word);
  }
  throw new Error('No two words have the same hash.');
}

for (const [name, first, letters] of [
  ['Latin', 0x61, 26],
  ['Cyrillic', 0x430, 31],
] as const) {
  test(`words with the same hash are distinguished: ${name}`, () => {
    const [one, other] = collidingWords(first, letters);
    assert.is(hashOf(one), hashOf(other));
    assert.is.not(one, other);
    assertLikeMap([`${one} ${other} ${one}`, other, `${other}x ${one}`, `x ${one}.${other}`]);
  });
}

test('tokens with the same hash are distinguished, be they of one length, or a prefix or suffix of one another', () => {
  const tokens = [
    'jazz',
    'jazzy',
    'jaz',
    'j',
    'azz',
    'jezz',
    'jazZ',
    'ĵazz',
    'é',
    'e',
    '中',
    '\u4e2d\u4e2d',
    '😀',
    '\ud83d',
  ];
  for (const hash of [0, 1, -1, 2 ** 31 - 1, -(2 ** 31), SLOTS - 1, SLOTS]) {
    const table = tokenTable();
    const numbers = () => tokens.map((token) => whole(table, token, hash));
    assert.equal(numbers(), [...tokens.keys()]);
    assert.equal(numbers(), [...tokens.keys()]);
    assert.equal(table.tokens, tokens);
  }
});

test('tokens that share a slot but not a hash are distinguished, at the last slot too', () => {
  const table = tokenTable();
  const hashes = Array.from({ length: 300 }, (_, at) => (SLOTS - 1 + SLOTS * at) | 0);
  const words = hashes.map((hash, at) => ({ token: `w${at}`, hash }));
  for (const round of [1, 2]) {
    const numbers = words.map(({ token, hash }) => whole(table, token, hash));
    assert.equal(numbers, [...words.keys()], `round ${round}`);
  }
});

test('a token is found where it is, and only by its whole text', () => {
  const table = tokenTable();
  const text = 'jazzjazzband';
  assert.is(table.numberOf(text, 0, 4, 5), 0);
  assert.is(table.numberOf(text, 4, 8, 5), 0);
  assert.is(table.numberOf(text, 0, 8, 5), 1);
  assert.is(table.numberOf(text, 8, 12, 5), 2);
  assert.is(table.numberOf('band', 0, 4, 5), 2);
  assert.is(table.numberOf('a jazz', 2, 6, 5), 0);
  assert.equal(table.tokens, ['jazz', 'jazzjazz', 'band']);
});

test('a text that ends within a known token does not hold it', () => {
  const table = tokenTable();
  assert.is(whole(table, 'jazzband', 5), 0);
  assert.is(table.numberOf('my jazz', 3, 7, 5), 1);
  assert.is(table.numberOf('my jazzban', 3, 10, 5), 2);
  assert.is(table.numberOf('my jazzband', 3, 11, 5), 0);
});

test('tokens keep their numbers as the table grows, twice', () => {
  const table = tokenTable();
  const many = SLOTS + 10;
  const words = Array.from({ length: many }, (_, at) => ({ token: `wort${at}`, hash: hashOf(`wort${at}`) }));
  let wrong = 0;
  for (const [at, { token, hash }] of words.entries()) {
    if (whole(table, token, hash) !== at) wrong += 1;
    const earlier = words[at >> 1];
    if (earlier && whole(table, earlier.token, earlier.hash) !== at >> 1) wrong += 1;
  }
  for (const [at, { token, hash }] of words.entries()) if (whole(table, token, hash) !== at) wrong += 1;
  assert.is(wrong, 0);
  assert.is(table.tokens.length, many);
});

test('tokens of one hash keep their numbers as the table grows', () => {
  const table = tokenTable();
  const twins = Array.from({ length: 50 }, (_, at) => `zwilling${at}`);
  const numbers = () => twins.map((token) => whole(table, token, SLOTS - 2));
  assert.equal(numbers(), [...twins.keys()]);
  for (let at = 0; at <= SLOTS / 2; at++) whole(table, `w${at}`, Math.imul(at, 40_503));
  assert.equal(numbers(), [...twins.keys()]);
});

test('a cleared table begins again, grown or not', () => {
  for (const count of [3, SLOTS]) {
    const table = tokenTable();
    for (let at = 0; at < count; at++) whole(table, `w${at}`, at);
    table.clear();
    assert.equal(table.tokens, []);
    assert.is(whole(table, 'w2', 2), 0);
    assert.is(whole(table, 'w0', 0), 1);
    assert.is(whole(table, 'w2', 2), 0);
    assert.equal(table.tokens, ['w2', 'w0']);
  }
});

// Otherwise the last round looks for a free slot for ever.
test('slots that were taken before a table was cleared are free again', () => {
  const table = tokenTable();
  const count = 30_000;
  for (const round of [0, 1, 2]) {
    table.clear();
    for (let at = 0; at < count; at++) whole(table, `w${at}`, round * count + at);
    assert.is(table.tokens.length, count);
  }
});

test('a token at the end of a text is one, with and without a separator behind it', () => {
  for (const text of ['jazz band', 'jazz band ', ' jazz band', 'jazz,\n.band.', 'band jazz band']) {
    assert.equal([...new Set(cut(text).map(({ token }) => token))], [...tokensOf(text)]);
    assert.equal(
      cut(text).map(({ token }) => token),
      plainTokens(text),
    );
  }
  assert.equal(cut(''), []);
  assert.equal(cut(' .,\u0001'), []);
  assert.equal(
    cut('x').map(({ token }) => token),
    ['x'],
  );
});

test('a hash depends on the token alone, not on where it is', () => {
  for (const token of ['a', 'jazz', 'čaj', '中文', '😀', "o'neill-b"]) {
    const hashes = cut(`x ${token} ${token}.yy\u0001${token}`).filter((one) => one.token === token);
    assert.equal([...new Set(hashes.map(({ hash }) => hash))], [hashOf(token)]);
    assert.is(hashes.length, 3);
  }
});

test('a hash is a whole number of 32 bits, and scatters like words over the slots', () => {
  const slots = new Set<number>();
  for (let at = 0; at < 10_000; at++) {
    const hash = hashOf(`wort${at}`);
    assert.is(hash, hash | 0);
    slots.add(hash & (SLOTS - 1));
  }
  // Ten thousand thrown at random would meet 9,274 of the slots.
  assert.ok(slots.size > 8_500, `only ${slots.size} slots`);
});

test('every code unit that is a separator, and no other, parts tokens', () => {
  const wrong: number[] = [];
  for (let code = 0; code < 2 ** 16; code++) {
    const text = `a${String.fromCharCode(code)}b`;
    if (cut(text).length !== plainTokens(text).length) wrong.push(code);
  }
  assert.equal(wrong, []);
});

test('texts of one and of two bytes a character share their tokens', () => {
  assertLikeMap(['jazz café', 'jazz 中 café', '中 café 😀jazz', 'caf é ca', '😀 \ud83d \ude00 😀😀']);
});

const PIECES = [
  'a',
  'b',
  'ab',
  'jazz',
  'é',
  'š',
  '中',
  '😀',
  '\ud83d',
  '-',
  "'",
  ' ',
  ' ',
  '\u00a0',
  '\u2028',
  '.',
  '<p>',
];
const pieced = fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((pieces) => pieces.join(''));
const texts = fc.oneof(pieced, fc.string({ unit: 'binary' }), fc.lorem());

test('whatever the texts, numbers are those of a map over texts cut the plain way', () => {
  fc.assert(
    fc.property(fc.array(texts, { maxLength: 12 }), (some) => {
      assertLikeMap(some);
      for (const text of some) assert.equal([...tokensOf(text)], [...new Set(plainTokens(text))]);
    }),
    { numRuns: 400, seed: 20_270_314 },
  );
});

test('the fields of a row stay apart', () => {
  fc.assert(
    fc.property(fc.array(texts, { minLength: 1, maxLength: 4 }), (fields) => {
      const text = searchText(fields);
      assert.equal(
        plainTokens(text),
        fields.flatMap((field) => plainTokens(searchText([field]))),
      );
      assertLikeMap([text, ...fields.map((field) => searchText([field]))]);
    }),
    { numRuns: 200, seed: 20_270_314 },
  );
});

test('whatever the hashes, a token has one number', () => {
  const few = fc.constantFrom(0, 1, -1, SLOTS - 1, -SLOTS, 2 ** 31 - 1);
  const tokens = fc.stringMatching(/^[abé]{1,3}$/);
  fc.assert(
    fc.property(
      fc.array(fc.tuple(tokens, fc.nat({ max: 5 })), { maxLength: 60 }),
      fc.array(few, { minLength: 3 }),
      (some, hashes) => {
        const table = tokenTable();
        const known: string[] = [];
        for (const [token, before] of some) {
          const text = `${'a'.repeat(before)}${token}ab`;
          if (!known.includes(token)) known.push(token);
          const hash = hashes[token.length % hashes.length] ?? 0;
          assert.is(table.numberOf(text, before, before + token.length, hash), known.indexOf(token));
        }
        assert.equal(table.tokens, known);
      },
    ),
    { numRuns: 300, seed: 20_270_314 },
  );
});

test.run();
