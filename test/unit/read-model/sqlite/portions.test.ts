import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Document } from '../../../../src/read-model/documents.ts';
import { arrivedDocument, TEXTS_IN_TRANSIT } from '../../../../src/read-model/sqlite/document-rows.ts';
import { packedBuffers, unpackedTexts } from '../../../../src/read-model/sqlite/packed-texts.ts';
import { openPortions, type Portion } from '../../../../src/read-model/sqlite/portions.ts';
import { textOf } from '../../../../src/text/pieces.ts';
import { event, venue } from '../../../support/documents.ts';

const long = (id: number, characters: number) =>
  event(id, { fragments: { full: 'x'.repeat(characters), masked: null, jsonLd: '{}' } });

/** Over to another thread: what is transferred is gone here. */
function arrivedIn({ packed }: Pick<Portion, 'packed'>): (Document | null)[] {
  const there = structuredClone(packed, { transfer: packedBuffers(packed) as ArrayBuffer[] }); // Nothing else is in them.
  return [...unpackedTexts(there, TEXTS_IN_TRANSIT)].map(arrivedDocument);
}

test('long documents are handed over in portions of half a megabyte, complete and in order', () => {
  const portions = openPortions();
  const documents = [long(1, 900_000), long(2, 200_000), null, long(3, 200_000), long(4, 200_000), long(5, 900_000)];
  const handed: Portion[] = [portions.first(documents)];
  for (let rest = handed[0]?.rest ?? null; rest !== null; rest = handed.at(-1)?.rest ?? null)
    handed.push(portions.next(rest));
  assert.equal(
    handed.map((portion) => arrivedIn(portion).map((document) => document?.id ?? null)),
    [[1], [2, null, 3], [4], [5]],
  );
  const { rest, ...last } = portions.first([long(1, 10), null]);
  assert.is(rest, null);
  assert.is(arrivedIn(last).length, 2);
  assert.equal(arrivedIn(portions.first([])), []);
});

test('a document arrives as it was, and what it is long in as bytes', () => {
  const members = { title: 'Łódź', description: 'a "b" \u{1f600} \\', protected: true };
  const fragments = { full: `"é${'x'.repeat(100_000)}"`, masked: '"é"', jsonLd: '{"ł":1}' };
  const sent = event(1, { ...members, fragments });
  const [long, short, lone] = arrivedIn(
    openPortions().first([sent, venue(2), event(3, { fragments: { ...fragments, full: '"\ud800"' } })]),
  );
  assert.ok(long?.kind === 'event' && long.fragments.full instanceof Uint8Array);
  assert.equal({ ...long, fragments: { ...fragments, full: textOf(long.fragments.full) } }, sent);
  assert.equal({ ...short }, venue(2));
  assert.is(lone?.kind === 'event' && lone.fragments.full, '"\ufffd"');
});

test('texts and state are parsed when they are asked for', () => {
  const parsed: string[] = [];
  const { parse } = JSON;
  JSON.parse = (text) => {
    parsed.push(text);
    return parse(text);
  };
  try {
    const [found] = arrivedIn(openPortions().first([event(1, { description: 'long', state: { much: 1 } })]));
    assert.is(parsed.length, 1);
    assert.is(found?.kind === 'event' && found.description, 'long');
    assert.equal(found?.state, { much: 1 });
    assert.is(parsed.length, 3);
  } finally {
    JSON.parse = parse;
  }
});

test.run();
