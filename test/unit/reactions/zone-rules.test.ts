// What lies ahead takes on newer zone rules: once for all processes, whatever fails in between.
import { pino } from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createCalendarEvent } from '../../../src/calendar/event/commands/events.ts';
import { nextStep, rulesOfLog, ZONE_RULES_STREAM } from '../../../src/calendar/zone-rules/commands/zone-rules.ts';
import { openSweep, startZoneRulesFollower } from '../../../src/calendar/zone-rules/reactions/zone-rules-follower.ts';
import type { ZoneRules } from '../../../src/kernel/time/zone.ts';
import { LOG_START } from '../../../src/log/envelope.ts';
import { AppendOutcomeUnknown, type EventStore, EventStoreUnavailable } from '../../../src/log/event-store.ts';
import { DAY, NOW, openWorld, type World, written } from '../../support/given.ts';
import { rulesWith } from '../../support/zone-rules.ts';

const test = suite('following zone rules');
const OLDER = rulesWith('2025b');
/** New York stays at summer time for good. */
const NEWER = rulesWith('2026c', { 'America/New_York': -4 });
const AT = NOW + DAY;

const created = async (world: World, times: object): Promise<number> =>
  (await written(createCalendarEvent(world.dependencies, world.context(), { title: 'Jazz', status: 'publish', times })))
    .id;

const winter = (world: World): Promise<number> =>
  created(world, { start: '2027-12-15 19:00', end: '2027-12-15 22:00' });

interface Process {
  run(): Promise<number | null>;
}

function startProcess(world: World, rules: ZoneRules, store: EventStore = world.store): Process {
  const { newEventId } = world.dependencies;
  const clock = { now: () => AT };
  const log = pino({ level: 'silent' });
  const sweep = openSweep({ store, newEventId, rules, clock, newId: () => `sweep by ${rules.release}`, log });
  return { run: () => sweep.run(new AbortController().signal) };
}

const adjustments = async (world: World) =>
  (await world.log()).filter(({ type }) => type === 'EventAdjustedToZoneRules');

test('newer rules are adopted, and what lies ahead is adjusted with an actor and a reason of its own', async () => {
  const world = openWorld();
  const id = await winter(world);
  await created(world, { start: '2027-07-15 19:00', end: '2027-07-15 22:00' });
  await created(world, { start: '2027-12-15 19:00', end: '2027-12-15 22:00', timezone: 'Europe/Paris' });
  await created(world, { start: '2026-02-01 19:00', end: '2026-02-01 22:00' });
  await startProcess(world, OLDER).run();
  assert.equal(await adjustments(world), []);
  assert.is(await startProcess(world, NEWER).run(), 1);
  const [event, ...others] = await adjustments(world);
  assert.equal(others, []);
  assert.is(event?.stream, `event-${id}`);
  assert.equal(event?.metadata.actor, { id: null, name: 'zone rules' });
  assert.is(event?.metadata.reason, 'America/New_York, rules 2026c');
  assert.is(event?.metadata.correlationId, 'sweep by 2026c');
  assert.match(JSON.stringify(event?.data), `"startsAt":${Date.UTC(2027, 11, 15, 23) / 1000},`);
  assert.is((await rulesOfLog(world.store)).release, '2026c');
});

test('a step through the log ends at a long text, so that it takes no longer than others', async () => {
  const world = openWorld();
  const input = {
    title: 'Jazz',
    description: 'la '.repeat(100_000),
    times: { start: '2027-12-15 19:00', end: '2027-12-15 22:00' },
  };
  const ids: number[] = [];
  for (let count = 0; count < 3; count += 1)
    ids.push((await written(createCalendarEvent(world.dependencies, world.context(), input))).id);
  const steps = [];
  for (let after = LOG_START; ; ) {
    const step = await nextStep(world.store, NEWER, { after, now: AT });
    if (step.facts === 0) break;
    if (step.ids.length > 0) steps.push(step.ids);
    after = step.upTo;
  }
  assert.equal(
    steps,
    ids.map((id) => [id]),
  );
});

test('a log that does not say its rules takes on those of the first process', async () => {
  const world = openWorld();
  await winter(world);
  assert.is(await startProcess(world, NEWER).run(), 1);
});

test('several processes at once record each change once', async () => {
  const world = openWorld();
  for (let count = 0; count < 30; count += 1) await winter(world);
  const processes = Array.from({ length: 3 }, () => startProcess(world, NEWER));
  const adjusted = await Promise.all(processes.map((process) => process.run()));
  assert.is(
    adjusted.reduce<number>((sum, one) => sum + (one ?? 0), 0),
    30,
  );
  assert.is((await adjustments(world)).length, 30);
  assert.equal(await world.typesIn(ZONE_RULES_STREAM), ['ZoneRulesAdopted', 'ZoneRulesApplied']);
  for (const process of processes) assert.is(await process.run(), 0);
  assert.is(await startProcess(world, NEWER).run(), 0);
  assert.equal(await world.typesIn(ZONE_RULES_STREAM), ['ZoneRulesAdopted', 'ZoneRulesApplied']);
});

for (const [name, failure] of [
  ['nothing is written', async () => Promise.reject(new EventStoreUnavailable('gone'))],
  [
    'it is unknown whether it is written',
    async (pass: () => Promise<unknown>) => {
      await pass();
      throw new AppendOutcomeUnknown('cut off');
    },
  ],
] as const)
  test(`what ends in the middle is done to the end by the next process, and nothing twice: ${name}`, async () => {
    const world = openWorld();
    for (let count = 0; count < 25; count += 1) await winter(world);
    let appends = 0;
    const failing: EventStore = {
      ...world.store,
      append(some) {
        appends += 1;
        return appends > 8 ? (failure(() => world.store.append(some)) as Promise<never>) : world.store.append(some);
      },
    };
    let failed = false;
    await startProcess(world, NEWER, failing)
      .run()
      .catch(() => {
        failed = true;
      });
    assert.ok(failed);
    const before = (await adjustments(world)).length;
    assert.ok(before >= 7 && before < 25, `${before} were adjusted`);
    assert.is(await startProcess(world, NEWER).run(), 25 - before);
    assert.is((await adjustments(world)).length, 25);
  });

test('a process with older rules reverts nothing, records nothing and reports that', async () => {
  const world = openWorld();
  await winter(world);
  await startProcess(world, NEWER).run();
  const before = (await world.log()).length;
  assert.is(await startProcess(world, OLDER).run(), null);
  assert.is((await world.log()).length, before);
  const lines: { msg: string }[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const { newEventId } = world.dependencies;
  const clock = { now: () => AT };
  const follower = startZoneRulesFollower({
    ...{ store: world.store, newEventId, rules: OLDER, clock, newId: () => 'older', log, duty: 'adjust' },
  });
  while (lines.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  await follower.stop();
  assert.match(lines[0]?.msg ?? '', "The zone rules of this process (2025b) are older than the log's (2026c)");
});

test('what a process with older rules writes later is adjusted at the next look, also by one that has just started', async () => {
  const world = openWorld();
  const running = startProcess(world, NEWER);
  await running.run();
  await winter(world);
  assert.is(await running.run(), 1);
  await winter(world);
  assert.is(await startProcess(world, NEWER).run(), 1);
});

test('a later start does not go through what has been checked', async () => {
  const world = openWorld();
  await winter(world);
  await startProcess(world, NEWER).run();
  const reads: string[] = [];
  const watched: EventStore = {
    ...world.store,
    readAll(options) {
      reads.push(options.after);
      return world.store.readAll(options);
    },
  };
  await startProcess(world, NEWER, watched).run();
  const [adopted] = await world.store.readStream(ZONE_RULES_STREAM);
  assert.is(reads[0], adopted?.position);
});

test.run();
