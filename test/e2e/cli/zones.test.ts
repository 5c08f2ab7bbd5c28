// `daybook zones`: what newer time zone rules would move, for people and programs, and moving it.
import { pino } from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createCalendarEvent } from '../../../src/calendar/event/commands/events.ts';
import { zonesCommand } from '../../../src/calendar/zone-rules/cli/zones.ts';
import { recordMark, rulesOfLog } from '../../../src/calendar/zone-rules/commands/zone-rules.ts';
import { DAY, NOW, openWorld, type World, written } from '../../support/given.ts';
import { perform } from '../../support/perform.ts';
import { rulesWith } from '../../support/zone-rules.ts';

interface Context {
  world: World;
  id: number;
}

const test = suite<Context>('daybook zones');
const OLDER = '2025b';
const NEWER = '2026c';
/** New York stays at summer time for good. */
const RULES = rulesWith(NEWER, { 'America/New_York': -4 });

/** A log under older rules with an event of the winter, which moves, and one of the summer, which does not. */
test.before.each(async (context) => {
  const world = openWorld();
  const created = (title: string, day: string) => {
    const times = { start: `${day} 19:00`, end: `${day} 22:00` };
    return written(createCalendarEvent(world.dependencies, world.context(), { title, status: 'publish', times }));
  };
  context.world = world;
  context.id = (await created('Winter concert', '2027-12-15')).id;
  await created('Summer concert', '2027-07-15');
  await recordMark(world.dependencies, world.context(), 'ZoneRulesAdopted', OLDER, -1);
});
test.after.each(({ world }) => world.store.close());

async function zones({ world }: Context, args: readonly string[], rules = RULES) {
  const lines: string[] = [];
  let projected = 0;
  const code = await perform(zonesCommand, args, {
    ...{ store: world.store, rules, log: pino({ level: 'silent' }), signal: new AbortController().signal },
    ...{ now: () => NOW + DAY, newId: world.dependencies.newEventId, out: (line: string) => void lines.push(line) },
    project: async () => {
      projected += 1;
    },
  });
  return { code, lines, projected };
}

const HEAD = `Zone rules of this process: ${NEWER}; of the log: ${OLDER}.`;

test('what would move is listed, and nothing is written', async (context) => {
  const before = await context.world.log();
  assert.equal(await zones(context, []), {
    code: 0,
    lines: [
      HEAD,
      `events/${context.id}  America/New_York  2027-12-15 19:00:00 = 2027-12-16 00:00:00Z → 2027-12-15 23:00:00Z  Winter concert`,
      '1 future event would move.',
    ],
    projected: 0,
  });
  assert.equal(await context.world.log(), before);
});

test('with --json the same is one line for programs', async (context) => {
  const before = await context.world.log();
  const { code, lines, projected } = await zones(context, ['--json']);
  assert.equal([code, lines.length, projected], [0, 1, 0]);
  const clock = { start_date: '2027-12-15 19:00:00', end_date: '2027-12-15 22:00:00' };
  assert.equal(JSON.parse(lines[0] ?? ''), {
    ...{ process: NEWER, log: OLDER, standing: 'newer' },
    events: [
      {
        ...{ id: context.id, title: 'Winter concert', timezone: 'America/New_York' },
        before: { ...clock, utc_start_date: '2027-12-16 00:00:00', utc_end_date: '2027-12-16 03:00:00' },
        after: { ...clock, utc_start_date: '2027-12-15 23:00:00', utc_end_date: '2027-12-16 02:00:00' },
      },
    ],
  });
  assert.equal(await context.world.log(), before);
});

for (const json of [[], ['--json']] as const)
  test(`${['--apply', ...json].join(' ')} moves it once, and brings the views up to date`, async (context) => {
    const { world, id } = context;
    const applied = await zones(context, ['--apply', ...json]);
    assert.equal([applied.code, applied.projected], [0, 1]);
    if (json.length === 0) assert.is(applied.lines.at(-1), '1 event adjusted.');
    else assert.is(JSON.parse(applied.lines.join('')).events.length, 1);
    assert.is((await rulesOfLog(world.store)).release, NEWER);
    const moved = (await world.log()).filter(({ type }) => type === 'EventAdjustedToZoneRules');
    assert.equal(
      moved.map(({ stream, metadata }) => [stream, metadata.reason]),
      [[`event-${id}`, `America/New_York, rules ${NEWER}`]],
    );
    const after = await world.log();
    const again = await zones(context, ['--apply']);
    assert.equal(again.lines.slice(1), ['No future events would move.', '0 events adjusted.']);
    assert.equal(await world.log(), after);
  });

test('a process with older rules than the log moves nothing, and --apply fails', async (context) => {
  const before = await context.world.log();
  const { code, lines, projected } = await zones(context, ['--apply'], rulesWith('2024a'));
  assert.equal([code, lines.length, projected], [1, 1, 0]);
  assert.match(lines[0] ?? '', /\(2024a\) are older than the log's \(2025b\).*Run a newer Node/);
  assert.is((await zones(context, [], rulesWith('2024a'))).code, 0);
  assert.equal(await context.world.log(), before);
});

test.run();
