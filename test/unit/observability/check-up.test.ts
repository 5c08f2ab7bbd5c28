import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { RecordedEvent } from '../../../src/log/envelope.ts';
import {
  administratorsFinding,
  clockFinding,
  spaceFinding,
  unknownSettings,
  viewsFinding,
} from '../../../src/observability/check-up.ts';
import { parkedVenue } from './fake-ports.ts';

const NOW = Date.UTC(2027, 0, 1) / 1000;

const recorded = (at: number, position = '1'): RecordedEvent => ({
  id: 'e',
  type: 'IdsReserved',
  schemaVersion: 1,
  data: {},
  metadata: {
    actor: { id: null, name: 'test' },
    instant: new Date(at * 1000).toISOString(),
    correlationId: 'c',
    causationId: 'c',
  },
  stream: 'ids-post',
  revision: 0,
  position,
});

const logOf = (...events: RecordedEvent[]) => ({
  readStream: async (stream: string) => events.filter((event) => event.stream === stream).slice(-1),
  readAll: async ({ after }: { after: string }) => events.filter(({ position }) => position > after),
  head: async () => events.at(-1)?.position ?? '',
});

test('a setting with a mistyped name is reported, others are not', () => {
  const known = ['PORT', 'DAYBOOK_LANGUAGE'];
  const found = unknownSettings({ DAYBOOK_LANGAUGE: 'de', DAYBOOK_LANGUAGE: 'de', HOME: '/', PORTS: '1' }, known);
  assert.is(found.length, 1);
  assert.is(found[0]?.state, 'warning');
  assert.match(found[0]?.said ?? '', 'DAYBOOK_LANGAUGE');
  assert.match(found[0]?.advice ?? '', 'PORT, DAYBOOK_LANGUAGE');
});

test('little space is a warning', () => {
  assert.is(spaceFinding('/data', 256 * 2 ** 20).state, 'well');
  const { state, said } = spaceFinding('/data', 256 * 2 ** 20 - 1);
  assert.is(state, 'warning');
  assert.is(said, '255 MiB free in /data.');
});

test('a clock behind what the log has recorded is a problem, one a little behind is not', async () => {
  assert.is((await clockFinding(logOf(), NOW)).state, 'well');
  assert.is((await clockFinding(logOf(recorded(NOW - 1000)), NOW)).state, 'well');
  assert.is((await clockFinding(logOf(recorded(NOW + 5)), NOW)).state, 'well');
  const wrong = await clockFinding(logOf(recorded(NOW + 60)), NOW);
  assert.is(wrong.state, 'problem');
  assert.match(wrong.said, '60 s later');
  assert.ok(wrong.advice);
});

test('views are judged by their lag, and by what is parked', async () => {
  const asked = { now: () => NOW, prefixes: ['ids-'], checkpoint: '', parked: [] };
  assert.is((await viewsFinding({ ...asked, store: logOf() })).state, 'well');
  assert.is((await viewsFinding({ ...asked, store: logOf(recorded(NOW - 5)) })).state, 'well');
  assert.is((await viewsFinding({ ...asked, store: logOf(recorded(NOW - 50)), checkpoint: '1' })).state, 'well');
  const behind = await viewsFinding({ ...asked, store: logOf(recorded(NOW - 50)) });
  assert.is(behind.state, 'warning');
  assert.match(behind.said, '1 event and 50 s behind');
  const stopped = await viewsFinding({ ...asked, store: logOf(), parked: [parkedVenue(7)] });
  assert.is(stopped.state, 'problem');
  assert.match(stopped.said, /^1 resource parked, .* venue-7, VenueMoved at position 0*7 \(VenueMoved has no day\)\.$/);
});

test('a calendar without an administrator asks for one to be added', () => {
  assert.is(administratorsFinding(2).state, 'well');
  assert.is(administratorsFinding(0).state, 'warning');
});

test.run();
