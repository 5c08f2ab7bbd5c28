// Appends over one call, with replies as servers write them that the small one of the tests does not.
import { EventEmitter } from 'node:events';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import status from '@eventstore/db-client/generated/status_pb.js';
import pb from '@eventstore/db-client/generated/streams_pb.js';
import anyPb from 'google-protobuf/google/protobuf/any_pb.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type AppendCall, openAppendStream } from '../../../src/log/eventstoredb/append-stream.ts';
import { kindOfFailure } from '../../../src/log/eventstoredb/errors.ts';
import { newEvents } from '../../support/events.ts';

const test = suite('appends over one call');

const REQUEST = { stream: 'event-1', expected: 'no_stream', events: newEvents(1) } as const;
const { signal } = new AbortController();

/** A call whose messages are kept, and answered by the test. */
function openCall() {
  const sent: pb.BatchAppendReq[] = [];
  const call = Object.assign(new EventEmitter(), {
    write: (message: pb.BatchAppendReq) => sent.push(message) > 0,
    cancel: () => undefined,
  });
  // Only what is above is used of it.
  const append = openAppendStream(async () => call as unknown as AppendCall);
  return {
    sent,
    append,
    /** Answers the last append, once it is sent. */
    async answer(fill: (reply: pb.BatchAppendResp) => pb.BatchAppendResp, id?: shared.UUID): Promise<void> {
      await new Promise((resolve) => setImmediate(resolve));
      const correlation = id ?? sent.at(-1)?.getCorrelationId();
      call.emit('data', fill(new pb.BatchAppendResp().setCorrelationId(correlation)));
    },
  };
}

const success = (reply: pb.BatchAppendResp): pb.BatchAppendResp =>
  reply.setSuccess(new pb.BatchAppendResp.Success().setCurrentRevision('4'));

function refusal(type: string): (reply: pb.BatchAppendResp) => pb.BatchAppendResp {
  const details = new anyPb.Any();
  details.pack(new Uint8Array(), `event_store.client.${type}`);
  return (reply) => reply.setError(new status.Status().setMessage(type).setDetails(details));
}

test('a reply is found by an id in two halves as well', async () => {
  const { append, answer, sent } = openCall();
  const appending = append(REQUEST, signal);
  await new Promise((resolve) => setImmediate(resolve));
  const hex = sent[0]?.getCorrelationId()?.getString().replaceAll('-', '') ?? '';
  const half = (from: number): string => String(BigInt.asIntN(64, BigInt(`0x${hex.slice(from, from + 16)}`)));
  const halves = new shared.UUID.Structured().setMostSignificantBits(half(0)).setLeastSignificantBits(half(16));
  await answer(success, new shared.UUID().setStructured(halves));
  assert.equal(await appending, { kind: 'appended', revisions: [4], position: null });
});

test('a reply to an append that was never made is passed over', async () => {
  const { append, answer } = openCall();
  const appending = append(REQUEST, signal);
  await answer(success, new shared.UUID().setString(crypto.randomUUID()));
  await answer(success);
  assert.is((await appending).kind, 'appended');
});

for (const [type, kind] of [
  ['MaximumAppendSizeExceeded', 'too large'],
  ['MaximumAppendEventSizeExceeded', 'too large'],
  ['StreamDeleted', 'rejected'],
  ['BadRequest', 'rejected'],
  ['AccessDenied', 'refused'],
  ['Timeout', 'lost'],
  ['Unknown', 'lost'],
] as const)
  test(`an append that is answered with ${type} is ${kind}`, async () => {
    const { append, answer } = openCall();
    const appending = append(REQUEST, signal).catch((error: unknown) => kindOfFailure(error));
    await answer(refusal(type));
    assert.is(await appending, kind);
  });

for (const [said, kind] of [
  ['Server Is Not Ready', 'not ready'],
  ['Server Is Busy', 'busy'],
  ['Server Is Too Busy', 'busy'],
  ['Leader info available', 'not leader'],
  ['No leader info available in response', 'not leader'],
  ['Server Is Something Else', 'lost'],
] as const)
  test(`an append that is answered with ${said}, without a type, is ${kind}`, async () => {
    const { append, answer } = openCall();
    const appending = append(REQUEST, signal).catch((error: unknown) => kindOfFailure(error));
    const details = new anyPb.Any();
    details.pack(new Uint8Array(), 'google.protobuf.Empty');
    await answer((reply) => reply.setError(new status.Status().setMessage(said).setDetails(details)));
    assert.is(await appending, kind);
  });

test('what is larger than a message may be goes in several, the last of which says so', async () => {
  const { append, answer, sent } = openCall();
  const events = newEvents(3).map((event) => ({ ...event, data: { text: 'x'.repeat(600_000) } }));
  const appending = append({ ...REQUEST, events }, signal);
  await answer(success);
  assert.is((await appending).kind, 'appended');
  assert.equal(
    sent.map((message) => [message.hasOptions(), message.getProposedMessagesList().length, message.getIsFinal()]),
    [
      [true, 1, false],
      [false, 1, false],
      [false, 1, true],
    ],
  );
  assert.is(new Set(sent.map((message) => message.getCorrelationId()?.getString())).size, 1);
});

test.run();
