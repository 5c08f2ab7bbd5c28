// What leaves the packer arrives: the same rows, byte for byte, and of each document what it is indexed by.
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LOG_START } from '../../../../src/event-store/envelope.ts';
import type { Document } from '../../../../src/read-model/documents.ts';
import type { Batch } from '../../../../src/read-model/read-model.ts';
import type { Value } from '../../../../src/read-model/sqlite/connection.ts';
import { type PackedPortion, packer, portionOf, unpacked } from '../../../../src/read-model/sqlite/fill-portion.ts';
import { documentRow } from '../../../../src/read-model/sqlite/schema.ts';
import { category, event, organizer, removed, saved, tag, user, venue } from '../../../support/documents.ts';

const test = suite('fill portion');

const MEBIBYTE = 2 ** 20;

interface Arrived {
  readonly document: Document;
  readonly columns: readonly Value[];
}

const batchOf = (...changes: Batch['changes']): Batch => ({ after: LOG_START, upTo: '7', changes, fill: 'first' });

/** As SQLite gets it: text becomes UTF-8, in which a lone half of a pair has no place. */
const readable = (value: Value): Value =>
  typeof value === 'string' || value instanceof Uint8Array ? Buffer.from(value).toString() : value;

/** Behind the texts are two seals: they travel as texts, and SQLite stores the numbers that they are. */
const FIRST_SEAL = 7;

const arrivedFrom = (portion: ReturnType<typeof portionOf>): Arrived[] =>
  [...portion.documents].map(({ document, columns }) => ({
    document,
    columns: columns.map((value, at) => (at < FIRST_SEAL ? readable(value) : String(value))),
  }));

/** Over to another thread: what was handed over is gone here. */
const sent = (portion: PackedPortion): PackedPortion =>
  structuredClone(portion, { transfer: [portion.bytes.buffer, portion.lengths.buffer] });

/** What JSON keeps of a document, without what is never looked at in a fill. */
function indexed(document: Document): unknown {
  const { state: _, ...rest } = document;
  if ('fragments' in rest) Reflect.deleteProperty(rest, 'fragments');
  return JSON.parse(JSON.stringify(rest));
}

function assertArrives(batch: Batch, pack = packer()): void {
  const arrived = arrivedFrom(unpacked(sent(pack(batch))));
  const expected = arrivedFrom(portionOf(batch));
  const documents = batch.changes.flatMap(({ document }) => document ?? []);
  // Compared one by one and as text: the differ of a failed assertion is no match for a mebibyte.
  assert.is(arrived.length, documents.length);
  assert.is(expected.length, documents.length);
  for (const [at, document] of documents.entries()) {
    assert.ok(JSON.stringify(arrived[at]?.columns) === JSON.stringify(expected[at]?.columns), `row ${at} differs`);
    assert.is(arrived[at]?.columns[0], documentRow(document));
    const got = JSON.stringify(sortedMembers(arrived[at]?.document));
    assert.ok(got === JSON.stringify(sortedMembers(indexed(document))), `document ${at} differs`);
  }
}

const sortedMembers = (members: unknown): unknown => Object.entries(members ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));

const fragments = (full: string, masked: string | null = null, jsonLd = '{}') => ({ full, masked, jsonLd });

const LARGE = 2 ** 47 + 12_345;
const ODD_TEXTS = {
  empty: '',
  'one byte': 'Jazz',
  'two bytes': 'é ß ÿ Ж',
  'three bytes': '\u20ac \u4e2d \uffff \ufeff',
  'four bytes': '😀𝄞\u{10ffff}',
  'a lone first half': 'a\ud83d',
  'a lone second half': '\ude00b',
  'halves the wrong way round': '\ude00\ud83d',
  'controls and quotes': '\0\u0001\n"\\',
  'a byte order mark first': '\ufeffJazz',
};

test('a document of each kind arrives with all its columns', () => {
  assertArrives(
    batchOf(
      saved(
        event(1, {
          parent: 2 ** 31 + 1,
          startsAt: -(2 ** 40),
          endsAt: 2 ** 40,
          date: -1,
          hidden: true,
          protected: true,
          categories: [1, 2 ** 33],
          venues: [{ id: LARGE, life: 3 }],
          title: 'Jazz – at night',
          excerpt: '',
          description: '<p>"😀"</p>',
          fragments: fragments('{"a":1}', '{"b":2}', ''),
        }),
      ),
      saved(venue(41, { coordinates: { lat: -1.5e-7, lng: 179.999_999_9 }, searchable: ['', 'é'] })),
      saved(organizer(LARGE, { coordinates: null, fragments: fragments('', '', '') })),
      saved(category(1, { parent: LARGE, description: '😀' })),
      saved(tag(11, { deleted: true, name: '' })),
      saved(user(7, 'login', 'a@example.org')),
    ),
  );
});

test('the columns a row has no text for are null, and empty ones are empty', () => {
  const batch = batchOf(saved(user(7, 'a', 'b')), saved(venue(4, { fragments: fragments('', '', '') })));
  const rows = arrivedFrom(unpacked(sent(packer()(batch)))).map(({ columns }) => columns.slice(2, FIRST_SEAL));
  const state = '{"some":"state"}';
  assert.equal(rows, [
    [null, null, null, null, state],
    ['', '', '', null, state],
  ]);
});

test('ids up to the largest make the row they are stored in', () => {
  const ids = [0, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 32 + 1, 2 ** 48 - 1];
  assertArrives(batchOf(...ids.flatMap((id) => [saved(event(id)), saved(user(id, 'a', 'b')), saved(tag(id))])));
});

for (const [name, text] of Object.entries(ODD_TEXTS)) {
  test(`texts arrive wherever they stand: ${name}`, () => {
    assertArrives(
      batchOf(
        saved(
          event(1, {
            title: text,
            excerpt: text,
            description: text,
            slug: text,
            state: { [text]: text },
            fragments: fragments(text, text, text),
          }),
        ),
        saved(venue(2, { name: text, searchable: [text, text], fragments: fragments(text) })),
        saved(category(3, { name: text, slug: text, description: text, state: text })),
        saved(user(4, text, text)),
      ),
    );
  });
}

test('what was packed before a longer text is kept', () => {
  for (const text of ['x', 'é', '€', '😀']) {
    const big = text.repeat(MEBIBYTE + 1);
    assertArrives(
      batchOf(
        saved(event(1, { title: 'before' })),
        saved(event(2, { description: big, fragments: fragments('{}', 'between') })),
        saved(venue(3, { fragments: fragments(big, big) })),
        saved(tag(4, { name: 'after' })),
      ),
    );
  }
});

test('texts of three bytes a unit fit, however much room is left', () => {
  for (const spare of [-2, -1, 0, 1, 2]) {
    const units = Math.floor(MEBIBYTE / 3) + spare;
    assertArrives(
      batchOf(saved(venue(1, { fragments: fragments('€'.repeat(units), '€'.repeat(units)) })), saved(tag(2))),
    );
  }
});

test('many small documents fill more than the first room', () => {
  const changes = Array.from({ length: 6_000 }, (_, at) => saved(event(at, { title: `Évent ${at}` })));
  assert.ok(packer()(batchOf(...changes)).bytes.length > 2 * MEBIBYTE);
  assertArrives(batchOf(...changes));
});

test('a batch of nothing, and one of removals alone, carry their positions and nothing else', () => {
  for (const changes of [[], [removed('event', 1), removed('tag', 2)]]) {
    const { documents, ...rest } = unpacked(
      sent(packer()({ after: '3', upTo: '9', changes, fill: 'second', mark: '' })),
    );
    assert.equal([...documents], []);
    assert.equal(rest, { after: '3', upTo: '9', fill: 'second', mark: '' });
    const { documents: direct, ...same } = portionOf({ after: '3', upTo: '9', changes, fill: 'second', mark: '' });
    assert.equal([...direct], []);
    assert.equal(same, rest);
  }
});

test('removals between documents are left out', () => {
  assertArrives(batchOf(removed('event', 9), saved(event(1)), removed('venue', 2), saved(tag(3)), removed('tag', 4)));
});

test('a batch that belongs to no fill has an empty name of one', () => {
  const batch: Batch = { after: '1', upTo: '2', changes: [] };
  assert.is(unpacked(packer()(batch)).fill, '');
  assert.is(portionOf(batch).fill, '');
});

test('portions of one packer do not touch one another, handed over or not', () => {
  const pack = packer();
  const batches = Array.from({ length: 40 }, (_, at) =>
    batchOf(saved(event(at, { title: `No. ${at}`, description: 'é'.repeat((at % 7) * 40_000) })), saved(tag(at))),
  );
  const portions = batches.map((batch) => pack(batch));
  for (const [at, portion] of portions.entries()) {
    const { documents } = unpacked(at % 2 === 0 ? sent(portion) : portion);
    const [first, second] = [...documents].map(({ document }) => document);
    assert.is(first?.kind === 'event' && first.title, `No. ${at}`);
    assert.is(second?.id, at);
  }
  for (const batch of batches) assertArrives(batch, pack);
});

test('a portion is as large as its texts: what lies behind them does not travel', () => {
  const pack = packer();
  pack(batchOf(saved(event(1, { description: 'x'.repeat(MEBIBYTE) }))));
  const { bytes, lengths } = pack(batchOf(saved(tag(1))));
  assert.is(bytes.buffer.byteLength, bytes.length);
  assert.is(
    bytes.length,
    Array.from(lengths).reduce((sum, length) => sum + Math.max(0, length), 0),
  );
});

test('a block that begins inside its buffer is read from where it begins', () => {
  const { bytes, ...rest } = packer()(batchOf(saved(event(1, { title: 'é' }))));
  const wider = new Uint8Array(bytes.length + 9).fill(0x20);
  wider.set(bytes, 5);
  const moved = unpacked({ ...rest, bytes: wider.subarray(5, 5 + bytes.length) });
  const [first] = arrivedFrom(moved);
  assert.is(first?.document.kind === 'event' && first.document.title, 'é');
});

const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) }),
  fc.constantFrom(...Object.values(ODD_TEXTS)),
);
const ids = fc.oneof(fc.nat(), fc.integer({ min: 2 ** 31, max: 2 ** 48 - 1 }));
const pieces = fc.record({ full: texts, masked: fc.option(texts), jsonLd: texts });
const instants = fc.maxSafeInteger();
/** Of a degree of zero JSON loses the sign. */
const degrees = fc.double({ noNaN: true, noDefaultInfinity: true }).map((degree) => degree + 0);
const documents: fc.Arbitrary<Document> = fc.oneof(
  fc
    .tuple(
      ids,
      fc.record({
        title: texts,
        excerpt: texts,
        description: texts,
        startsAt: instants,
        endsAt: instants,
        parent: fc.option(ids),
        tags: fc.array(ids),
        fragments: pieces,
        state: fc.jsonValue() as fc.Arbitrary<Document['state']>, // JSON both, told in other words.
      }),
    )
    .map(([id, members]) => event(id, members)),
  fc
    .tuple(ids, fc.record({ name: texts, searchable: fc.array(texts), fragments: pieces, lat: degrees, lng: degrees }))
    .map(([id, { lat, lng, ...members }]) => venue(id, { ...members, coordinates: { lat, lng } })),
  fc.tuple(ids, fc.record({ name: texts, fragments: pieces })).map(([id, members]) => organizer(id, members)),
  fc.tuple(ids, fc.record({ name: texts, description: texts, parent: ids })).map(([id, term]) => category(id, term)),
  fc.tuple(ids, fc.record({ slug: texts, deleted: fc.boolean() })).map(([id, members]) => tag(id, members)),
  fc.tuple(ids, texts, texts).map(([id, login, email]) => user(id, login, email)),
);

test('whatever is packed arrives', () => {
  const changes = fc.array(
    fc.oneof(
      documents.map(saved),
      ids.map((id) => removed('event', id)),
    ),
  );
  const pack = packer();
  fc.assert(
    fc.property(changes, (some) => assertArrives(batchOf(...some), pack)),
    { numRuns: 200, seed: 20_270_314 },
  );
});

test.run();
