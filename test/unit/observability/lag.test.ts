import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LOG_START } from '../../../src/log/envelope.ts';
import { createLagMeter, type LagMeterOptions } from '../../../src/observability/lag.ts';
import { eventAt, NOW, openPorts, type Ports, PREFIXES, positionOf } from './fake-ports.ts';

const test = suite('lag');

const meterOver = (ports: Ports, options: Partial<LagMeterOptions> = {}) =>
  createLagMeter({ store: ports.store, prefixes: PREFIXES, now: () => NOW, ...options });

test('views that stand at the head have no lag, and the log is not read for it', async () => {
  const ports = openPorts();
  ports.log.push(eventAt(1, 'event-1', 60));
  const lag = await meterOver(ports).measure(positionOf(1), positionOf(1));
  assert.equal(lag, { events: 0, counted: 'exactly', seconds: 0 });
  assert.equal(ports.asked, []);
});

test('an empty log has no lag', async () => {
  assert.is((await meterOver(openPorts()).measure(LOG_START, LOG_START)).events, 0);
});

test('only events that a projection listens to count', async () => {
  const ports = openPorts();
  ports.log.push(eventAt(1), eventAt(2, 'slug-event-fair', 90), eventAt(3, 'venue-4', 40), eventAt(4, 'ids-post', 30));
  const lag = await meterOver(ports).measure(positionOf(1), positionOf(4));
  assert.equal(lag, { events: 1, counted: 'exactly', seconds: 40 });
});

test('seconds are the age of the oldest event that is not applied', async () => {
  const ports = openPorts();
  ports.log.push(eventAt(1, 'event-1', 500), eventAt(2, 'event-1', 120), eventAt(3, 'event-1', 5));
  const meter = meterOver(ports);
  assert.is((await meter.measure(positionOf(1), positionOf(3))).seconds, 120);
  assert.is((await meter.measure(positionOf(2), positionOf(3))).seconds, 5);
});

test('an event from a clock that is ahead is not younger than now', async () => {
  const ports = openPorts();
  ports.log.push(eventAt(1, 'event-1', -30));
  assert.equal(await meterOver(ports).measure(LOG_START, positionOf(1)), { events: 1, counted: 'exactly', seconds: 0 });
});

test('counting goes through all pages and ends at its limit, which it says', async () => {
  const ports = openPorts();
  for (let place = 1; place <= 9; place++) ports.log.push(eventAt(place));
  const within = await meterOver(ports, { pageSize: 2, limit: 10 }).measure(LOG_START, positionOf(9));
  assert.equal([within.events, within.counted], [9, 'exactly']);
  const beyond = await meterOver(ports, { pageSize: 2, limit: 5 }).measure(LOG_START, positionOf(9));
  assert.equal([beyond.events, beyond.counted], [5, 'at least']);
});

test('counted events are not read again', async () => {
  const ports = openPorts();
  ports.log.push(eventAt(1), eventAt(2), eventAt(3));
  const meter = meterOver(ports);
  await meter.measure(positionOf(1), positionOf(3));
  ports.log.push(eventAt(4));
  ports.asked.length = 0;
  assert.is((await meter.measure(positionOf(1), positionOf(4))).events, 3);
  assert.equal(ports.asked, [`readAll ${positionOf(3)}`]);
});

test('counting goes on behind its limit once views have moved', async () => {
  const ports = openPorts();
  for (let place = 1; place <= 9; place++) ports.log.push(eventAt(place));
  const meter = meterOver(ports, { limit: 5 });
  await meter.measure(LOG_START, positionOf(9));
  assert.is((await meter.measure(positionOf(5), positionOf(9))).events, 4);
});

test('views that are filled anew are counted from their beginning', async () => {
  const ports = openPorts();
  ports.log.push(eventAt(1, 'event-1', 50), eventAt(2), eventAt(3));
  const meter = meterOver(ports);
  await meter.measure(positionOf(2), positionOf(3));
  assert.equal(await meter.measure(LOG_START, positionOf(3)), { events: 3, counted: 'exactly', seconds: 50 });
});

test('a read that fails fails the measurement, and the next one is right', async () => {
  const ports = openPorts();
  ports.log.push(eventAt(1), eventAt(2));
  const meter = meterOver(ports);
  const { readCourse } = ports;
  ports.readCourse = () => Promise.reject(new Error('away'));
  const failure = await meter.measure(LOG_START, positionOf(2)).catch((error: unknown) => error);
  assert.instance(failure, Error);
  ports.readCourse = readCourse;
  assert.is((await meter.measure(LOG_START, positionOf(2))).events, 2);
});

test.run();
