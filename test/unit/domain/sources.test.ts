import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { keysOf } from '../../../src/exchange/sources/domain/items.ts';
import {
  beginPoll,
  endPoll,
  evolveSource,
  failedPoll,
  isDue,
  NO_COUNTS,
  nextPoll,
  type Source,
  type SourceFact,
  validatorsAt,
} from '../../../src/exchange/sources/domain/source.ts';

const HOUR = 3_600;
const DAY = 86_400;
const ADDED: SourceFact = {
  type: 'SourceAdded',
  data: {
    ...{ id: 1, name: '', address: 'https://theatre.example/a.ics', every: 60, mode: 'apply', onMissing: 'leave' },
    ...{ status: null, user: 1 },
  },
};
const isAbandoned = (): boolean => false;

function after(...steps: readonly (readonly [at: number, fact: SourceFact])[]): Source {
  const source = [[0, ADDED] as const, ...steps].reduce<Source | null>(
    (state, [at, fact]) => evolveSource(state, fact, at),
    null,
  );
  if (!source) throw new Error('there is no source');
  return source;
}

const begun = (request: string): SourceFact => ({ type: 'SourcePollBegun', data: { request, by: null } });
const failed = (request: string, problem: 'unreadable' | 'interrupted'): SourceFact => ({
  type: 'SourcePollFailed',
  data: { request, problem, detail: '', counts: NO_COUNTS },
});
const polled = (request: string, outcome: 'applied' | 'unchanged' | 'looked'): SourceFact => ({
  type: 'SourcePolled',
  data: { request, outcome, counts: NO_COUNTS, validators: { etag: '"1"', lastModified: null, hash: 'a' } },
});
const isBegun = (source: Source, now: number, why: 'due' | 'asked'): boolean =>
  beginPoll(source, { request: 'new', by: null }, { now, why, isAbandoned }).kind === 'accepted';

test('of two processes that see a source due, the later one does not poll it, even if the first has ended', () => {
  const ended = after([10, begun('a')], [11, polled('a', 'applied')]);
  assert.not.ok(isBegun(after([10, begun('a')]), 11, 'due'));
  assert.not.ok(isBegun(ended, 12, 'due'));
  assert.ok(isBegun(ended, 12, 'asked'));
  assert.ok(isBegun(ended, 10 + HOUR, 'due'));
});

test('a poll whose process is gone is ended by the next one, and is no failure of the source', () => {
  const running = after([10, begun('a')]);
  assert.not.ok(isBegun(running, 800, 'asked'));
  assert.ok(isBegun(running, 1_000, 'asked'));
  const decision = beginPoll(running, { request: 'b', by: 1 }, { now: 20, why: 'asked', isAbandoned: () => true });
  assert.equal(decision.kind === 'accepted' && decision.facts.map(({ type }) => type), [
    'SourcePollFailed',
    'SourcePollBegun',
  ]);
  const interrupted = after([10, begun('a')], [20, failed('a', 'interrupted')]);
  assert.equal([interrupted.failures, failedPoll(interrupted), nextPoll(interrupted)], [0, null, 10 + HOUR]);
  assert.equal(endPoll(interrupted, { request: 'a', problem: 'fault', detail: '', counts: NO_COUNTS }), {
    kind: 'accepted',
    facts: [],
  });
});

test('failures are tried again later and later, a day later at most', () => {
  const steps: (readonly [number, SourceFact])[] = [];
  const pauses: number[] = [];
  for (let at = 0, times = 0; times < 7; times += 1) {
    steps.push([at, begun(`${times}`)], [at, failed(`${times}`, 'unreadable')]);
    const next = nextPoll(after(...steps)) ?? 0;
    pauses.push((next - at) / HOUR);
    at = next;
  }
  assert.equal(pauses, [2, 4, 8, 16, 24, 24, 24]);
  assert.is(failedPoll(after(...steps))?.problem, 'unreadable');
});

test('a clock that was put back holds no poll up', () => {
  const source = after([10 * DAY, begun('a')], [10 * DAY, polled('a', 'applied')]);
  assert.not.ok(isDue(source, 10 * DAY + 1));
  assert.ok(isDue(source, 9 * DAY));
});

test('an answer that is said to be the same is compared in full once a week', () => {
  const source = after(
    [0, begun('a')],
    [0, polled('a', 'applied')],
    [HOUR, begun('b')],
    [HOUR, polled('b', 'unchanged')],
  );
  assert.is(validatorsAt(source, 6 * DAY)?.etag, '"1"');
  assert.is(validatorsAt(source, 8 * DAY), null);
  assert.is(validatorsAt(after(), 0), null);
});

test('a source that has moved is so until a poll has read what is there', () => {
  const moved = [5, { type: 'SourceChanged', data: { address: 'https://theatre.example/b.ics' } }] as const;
  const movedAfter = (outcome: 'applied' | 'unchanged' | 'looked'): boolean =>
    after(moved, [10, begun('a')], [11, polled('a', outcome)]).moved;
  assert.ok(after(moved).moved);
  assert.equal([movedAfter('unchanged'), movedAfter('looked'), movedAfter('applied')], [true, true, false]);
});

test('a record is the item of its uid, or of its content if no other record is that; none is two', () => {
  const items = new Map(
    ['a', 'b'].map(
      (key) => [key, { key, uid: `${key}-1`, kind: 'event', content: key, end: null, members: {} }] as const,
    ),
  );
  const seen = (...records: readonly (readonly [uid: string, content: string])[]) =>
    Object.fromEntries(
      keysOf(
        items,
        records.map(([uid, content]) => ({ uid, kind: 'event', content })),
      ),
    );
  assert.equal(seen(['a-1', 'changed'], ['b-2', 'b']), { 'a-1': 'a', 'b-2': 'b' });
  assert.equal(seen(['a-2', 'a'], ['b-2', 'b']), { 'a-2': 'a', 'b-2': 'b' }, 'all have new ones');
  assert.equal(seen(['b-2', 'b'], ['c-1', 'b']), { 'b-2': 'b' }, 'one of two alike');
  assert.equal(seen(['a-1', 'a'], ['a', 'a']), { 'a-1': 'a' }, 'an item that another record has');
});

test.run();
