// Answers to reads, as servers write them.
import shared from '@eventstore/db-client/generated/shared_pb.js';
import pb from '@eventstore/db-client/generated/streams_pb.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { eventIn as readEvent } from '../../../src/log/eventstoredb/read-call.ts';

const test = suite('messages of EventStoreDB');

const ID = '0f8fad5b-d9cb-469f-a165-70867728950e';

interface Stored {
  readonly id?: shared.UUID;
  readonly revision?: string;
  readonly commit?: string;
  readonly prepare?: string;
  readonly contentType?: string;
  readonly data?: string;
  readonly metadata?: string;
}

function recorded(stored: Stored = {}): pb.ReadResp.ReadEvent.RecordedEvent {
  const { id = new shared.UUID().setString(ID), revision = '7', commit = '1690', prepare = '1690' } = stored;
  const { contentType = 'application/json', data = '{"title":"Köln 🎷"}', metadata = '{"actor":{"id":1}}' } = stored;
  const event = new pb.ReadResp.ReadEvent.RecordedEvent()
    .setId(id)
    .setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from('event-ä')))
    .setStreamRevision(revision)
    .setCommitPosition(commit)
    .setPreparePosition(prepare)
    .setData(Buffer.from(data))
    .setCustomMetadata(Buffer.from(metadata));
  event.getMetadataMap().set('type', 'EventDrafted').set('content-type', contentType).set('created', '17');
  return event;
}

const responseOf = (event: pb.ReadResp.ReadEvent.RecordedEvent): pb.ReadResp =>
  new pb.ReadResp().setEvent(new pb.ReadResp.ReadEvent().setEvent(event).setCommitPosition('1690'));

/** As it comes over the wire. */
const sent = (message: pb.ReadResp): pb.ReadResp => pb.ReadResp.deserializeBinary(message.serializeBinary());

function eventIn(message: pb.ReadResp) {
  const event = readEvent(sent(message));
  if (!event) throw new Error('no event');
  return event;
}

test('an event is read with everything that Daybook uses of it', () => {
  assert.equal(eventIn(responseOf(recorded())), {
    streamId: 'event-ä',
    id: ID,
    revision: 7,
    type: 'EventDrafted',
    isJson: true,
    data: { title: 'Köln 🎷' },
    metadata: { actor: { id: 1 } },
    position: '000000000000069a-000000000000069a',
  });
});

for (const [number, hex] of [
  ['0', '0000000000000000'],
  ['127', '000000000000007f'],
  ['128', '0000000000000080'],
  ['4294967295', '00000000ffffffff'],
  ['4294967296', '0000000100000000'],
  ['81985529216486895', '0123456789abcdef'],
  ['9223372036854775807', '7fffffffffffffff'],
  ['18446744073709551615', 'ffffffffffffffff'],
] as const)
  test(`the position ${number} is read to the last digit`, () => {
    const { position } = eventIn(responseOf(recorded({ commit: number, prepare: '3' })));
    assert.is(position, `${hex}-0000000000000003`);
  });

test('revisions are numbers, also the first one, which is not sent', () => {
  for (const revision of ['0', '1', '300', '4294967299'])
    assert.is(eventIn(responseOf(recorded({ revision }))).revision, Number(revision));
});

test('an id in two halves is the same as in text', () => {
  const half = (hex: string): string => String(BigInt.asIntN(64, BigInt(`0x${hex}`)));
  const structured = new shared.UUID.Structured()
    .setMostSignificantBits(half('0f8fad5bd9cb469f'))
    .setLeastSignificantBits(half('a16570867728950e'));
  assert.is(eventIn(responseOf(recorded({ id: new shared.UUID().setStructured(structured) }))).id, ID);
});

test('what is not JSON has no data, and metadata that are not JSON are none', () => {
  const bytes = eventIn(responseOf(recorded({ contentType: 'application/octet-stream', metadata: 'x' })));
  assert.equal([bytes.isJson, bytes.data, bytes.metadata], [false, undefined, undefined]);
  assert.is(eventIn(responseOf(recorded({ data: '{"a"' }))).data, undefined);
  assert.is(eventIn(responseOf(recorded({ metadata: '' }))).metadata, undefined);
});

test('a long text is read whole', () => {
  const title = 'ü'.repeat(300_000);
  assert.equal(eventIn(responseOf(recorded({ data: JSON.stringify({ title }) }))).data, { title });
});

test('everything but an event is passed over', () => {
  const missing = new pb.ReadResp().setStreamNotFound(new pb.ReadResp.StreamNotFound());
  assert.is(readEvent(sent(missing)), undefined);
  assert.is(readEvent(sent(new pb.ReadResp().setLastStreamPosition('5'))), undefined);
  assert.is(readEvent(sent(new pb.ReadResp().setCaughtUp(new pb.ReadResp.CaughtUp()))), undefined);
  assert.is(readEvent(sent(new pb.ReadResp().setEvent(new pb.ReadResp.ReadEvent()))), undefined);
});

test.run();
