import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EventStoreUnavailable } from '../../../src/log/event-store.ts';
import { LAGGING_AFTER_SECONDS } from '../../../src/observability/health.ts';
import { ReadModelUnavailable } from '../../../src/read-model/read-model.ts';
import { answering, eventAt, failing, hanging, openSurroundings, positionOf } from './fake-ports.ts';

const test = suite('health');

const storeAway = failing(new EventStoreUnavailable('The event store tcp://log:2113 cannot be reached.'));
const modelAway = failing(new ReadModelUnavailable('The read model redis://views is unavailable.'));

test('all is well: both stores are up, the projector leads, views are current', async () => {
  const { health, ports, lines } = openSurroundings();
  ports.log.push(eventAt(1));
  ports.checkpoint = positionOf(1);
  assert.equal(await health.examine(), {
    eventStore: { status: 'up' },
    readModel: { status: 'up' },
    projector: { kind: 'leading' },
    views: { status: 'current', checkpoint: positionOf(1), lag: { events: 0, counted: 'exactly', seconds: 0 } },
    usable: true,
    searchable: true,
    parked: [],
  });
  assert.equal(lines, []);
});

test('an unavailable event store is down for its own reason, and the lag is unknown', async () => {
  const { health, ports } = openSurroundings();
  ports.storeCourse = storeAway;
  const { eventStore, readModel, views, usable } = await health.examine();
  assert.equal(eventStore, { status: 'down', why: 'The event store tcp://log:2113 cannot be reached.' });
  assert.equal(readModel, { status: 'up' });
  assert.equal(views, { status: 'unknown', why: 'the event store is down' });
  assert.ok(usable);
});

test('an unavailable read model is down for its own reason, and the lag is unknown', async () => {
  const { health, ports } = openSurroundings();
  ports.modelCourse = modelAway;
  const { eventStore, readModel, views } = await health.examine();
  assert.equal(eventStore, { status: 'up' });
  assert.equal(readModel, { status: 'down', why: 'The read model redis://views is unavailable.' });
  assert.equal(views, { status: 'unknown', why: 'the read model is down' });
});

test('a store that hangs is down after the deadline, while the other one is reported as it is', async () => {
  const { health, ports } = openSurroundings();
  ports.storeCourse = hanging;
  const { eventStore, readModel } = await health.examine();
  assert.equal(eventStore, { status: 'down', why: 'there was no answer within 30 ms' });
  assert.equal(readModel, { status: 'up' });
});

test('a log that answers for its head and not for its events leaves the lag unknown, and the store up', async () => {
  const { health, ports } = openSurroundings();
  ports.log.push(eventAt(1));
  ports.readCourse = hanging;
  const { eventStore, views } = await health.examine();
  assert.equal(eventStore, { status: 'up' });
  assert.equal(views, { status: 'unknown', why: 'there was no answer within 30 ms' });
});

test('a store that hangs is not asked twice, until the question counts as lost', async () => {
  const { health, ports, time } = openSurroundings();
  ports.storeCourse = hanging;
  await health.examine();
  await health.examine();
  assert.is(ports.asked.filter((what) => what === 'head').length, 1);
  ports.storeCourse = answering;
  time.elapsed = 60_000;
  assert.equal((await health.examine()).eventStore, { status: 'up' });
});

test('requests during a check share it', async () => {
  const { health, ports } = openSurroundings();
  ports.log.push(eventAt(1));
  const [one, other] = await Promise.all([health.examine(), health.examine()]);
  assert.is(one, other);
  assert.equal([...ports.asked].sort(), ['checkpoint', 'head', 'readAll ']);
});

test('the next look sees what has changed', async () => {
  const { health, ports } = openSurroundings();
  ports.storeCourse = storeAway;
  assert.is((await health.examine()).eventStore.status, 'down');
  ports.storeCourse = answering;
  assert.is((await health.examine()).eventStore.status, 'up');
});

test('views are current when nothing is missing, catch up while what is missing is young, and lag after that', async () => {
  const { health, ports } = openSurroundings();
  ports.log.push(eventAt(1), eventAt(2, 'event-1', LAGGING_AFTER_SECONDS));
  ports.checkpoint = positionOf(2);
  assert.is((await health.examine()).views.status, 'current');
  ports.checkpoint = positionOf(1);
  assert.is((await health.examine()).views.status, 'catching up');
  const older = openSurroundings();
  older.ports.log.push(eventAt(1, 'event-1', LAGGING_AFTER_SECONDS + 1), eventAt(2));
  assert.equal((await older.health.examine()).views, {
    status: 'lagging',
    checkpoint: '',
    lag: { events: 2, counted: 'exactly', seconds: LAGGING_AFTER_SECONDS + 1 },
  });
});

test('a read model that is being filled, or was made from another log, is reported as such and not ready to be read', async () => {
  const surroundings = openSurroundings();
  surroundings.ports.log.push(eventAt(1));
  surroundings.trust = 'filling';
  const filling = await surroundings.health.examine();
  assert.equal([filling.views.status, filling.usable], ['filling', false]);
  surroundings.trust = 'another log';
  const foreign = await surroundings.health.examine();
  assert.equal([foreign.views.status, foreign.usable], ['another log', false]);
});

test('what could be read before the log went away can be read', async () => {
  const { health, ports } = openSurroundings();
  ports.storeCourse = storeAway;
  assert.ok((await health.examine()).usable);
});

test('a process without a projector says that it is elsewhere', async () => {
  const { health } = openSurroundings({ projector: null });
  assert.equal((await health.examine()).projector, { kind: 'elsewhere' });
});

test('a reason has no user, no password and no stack', async () => {
  const { health, ports } = openSurroundings();
  ports.storeCourse = failing(
    new EventStoreUnavailable('esdb://admin:ge/he@im@log:2113 is away, or rediss://ops:secret@views\n    at connect'),
  );
  const { eventStore } = await health.examine();
  assert.equal(eventStore, { status: 'down', why: 'esdb://log:2113 is away, or rediss://views' });
});

test('a failure that no port declares is written to the log only', async () => {
  const { health, ports, lines } = openSurroundings();
  ports.modelCourse = failing(new TypeError('secret of user 7'));
  assert.equal((await health.examine()).readModel, { status: 'down', why: 'unexpected failure; see the log' });
  assert.equal(lines, [{ level: 'error', message: 'the read model failed unexpectedly' }]);
});

test('one line is logged when a store fails and one when it is back', async () => {
  const { health, ports, lines } = openSurroundings();
  ports.storeCourse = storeAway;
  for (let look = 0; look < 3; look++) await health.examine();
  ports.storeCourse = answering;
  for (let look = 0; look < 3; look++) await health.examine();
  assert.equal(lines, [
    { level: 'warn', message: 'the event store failed' },
    { level: 'info', message: 'the event store recovered' },
  ]);
});

test('refused appends are reported with their reason, and logged when that changes', async () => {
  const { health, ports, lines } = openSurroundings();
  ports.writeCourse = failing(new EventStoreUnavailable('The event store log.db cannot grow.'));
  const refused = { status: 'down', why: 'The event store log.db cannot grow.' };
  assert.equal([await health.examineWriting(), await health.examineWriting()], [refused, refused]);
  assert.equal((await health.examine()).eventStore, { status: 'up' });
  ports.writeCourse = answering;
  assert.equal(await health.examineWriting(), { status: 'up' });
  assert.equal(lines, [
    { level: 'warn', message: 'writing to the event store failed' },
    { level: 'info', message: 'writing to the event store recovered' },
  ]);
});

test('a port that throws instead of rejecting is down as well', async () => {
  const { health, ports } = openSurroundings();
  ports.storeCourse = () => {
    throw new EventStoreUnavailable('The event store is closed.');
  };
  assert.equal((await health.examine()).eventStore, { status: 'down', why: 'The event store is closed.' });
});

test.run();
