// Brings a series back to what it was at one of its revisions: its rules, its times, what its dates have in common. Dates
// that come back have their ids; what was split off since comes back as well, and what was taken back since goes again to
// the series that had it then. Dates that were changed alone stay as they are.
import type { CommandContext, CommandDependencies } from '../../../commands/context.ts';
import { handleCommand } from '../../../commands/handle-command.ts';
import type { UnitOfWork } from '../../../commands/unit-of-work.ts';
import { accepted, type Decision, type Rejected, rejected } from '../../../domain/decider.ts';
import type { WallClock } from '../../../kernel/time/zone.ts';
import { factOf, fold, instantOf, type RecordedEvent, type Revision } from '../../../log/envelope.ts';
import { may } from '../../../people/auth/policy.ts';
import { revertEvent } from '../../reverts/domain/revert.ts';
import type { KnownDate, Series, SeriesFact } from '../domain/facts.ts';
import { evolveSeries, joining } from '../domain/occurrences.ts';
import { endedBefore, repeatingOf, rescheduleSeries } from '../domain/series.ts';
import { joinedTo, leaveTo, successorsOf } from '../domain/split-off.ts';
import { EVENT_PREFIX } from '../facts/occurrences.ts';
import { loadSeries, recorded, redated, streamOfSeries } from './record.ts';

interface Reverting {
  readonly unit: UnitOfWork;
  /** What another series leaves is written before it is taken back. */
  readonly turn: 'first' | 'in turn';
  readonly dependencies: CommandDependencies;
  readonly context: CommandContext;
}

/**
 * Rejections: `series_not_found`, `forbidden`, `precondition_failed`, `revision_not_found`, `busy`; `series_joined` with the
 * `series` that has its dates now or had them then, and the `revision` to which that one is to be reverted instead.
 */
export function revertSeries(
  dependencies: CommandDependencies,
  context: CommandContext,
  id: number,
  revision: Revision,
) {
  const stream = streamOfSeries(id);
  return handleCommand(dependencies, context, [stream], async (unit) => {
    const events = await unit.store.readStream(stream);
    const now = fold(events, evolveSeries);
    if (!may(context.caller, 'update', 'event', now?.template)) return rejected('forbidden');
    if (!now) return rejected('series_not_found');
    const last = events.length - 1;
    const { ifRevision } = context;
    if (ifRevision !== undefined && ifRevision !== last) return rejected('precondition_failed');
    const then = fold(events.slice(0, revision + 1), evolveSeries);
    if (!then || revision < 0 || revision > last)
      return rejected({ code: 'revision_not_found', details: { revision, last_revision: last } });
    const planned = { kind: 'planned', id, stream, evolve: evolveSeries, created: false } as const;
    if (revision === last) return planned;
    const facts = events.map((event) => factOf<SeriesFact>(event));
    const other = joinedTo(facts.slice(0, revision + 1)) ?? joinedTo(facts);
    if (other !== null) {
      const back = beforeLast(await unit.store.readStream(streamOfSeries(other)), isMoveBetween(id));
      return rejected({ code: 'series_joined', details: { series: other, revision: back } });
    }
    const reverting: Reverting = { unit, turn: 'in turn', dependencies, context };
    const named = await recorded(unit, now, id, accepted([{ type: 'SeriesReverted', data: { toRevision: revision } }]));
    if ('rejection' in named) return named;
    const after = await asAt(reverting, named, events, revision);
    return 'rejection' in after ? after : planned;
  });
}

const record = ({ unit, turn }: Reverting, series: Series, decision: Decision<SeriesFact>) =>
  recorded(unit, series, series.id, decision, turn);

/** The series as it was at a revision, with the dates that it had and those of today that follow from its rules. */
async function asAt(
  reverting: Reverting,
  series: Series,
  events: readonly RecordedEvent[],
  revision: Revision,
): Promise<Series | Rejected> {
  const facts = events.map((event) => factOf<SeriesFact>(event));
  const then = fold(events.slice(0, revision + 1), evolveSeries);
  if (!then) throw new Error('a series has no beginning');
  const [now, before] = [successorsOf(facts), successorsOf(facts.slice(0, revision + 1))];
  const back = now.filter((successor) => !before.includes(successor));
  const again = before.filter((successor) => !now.includes(successor));
  const whole = await withDatesOf({ ...reverting, turn: 'first' }, reverting, series, back);
  const parted = 'rejection' in whole ? whole : await withoutDatesOf(reverting, whole, again);
  return 'rejection' in parted ? parted : asThen(reverting, parted, then);
}

/** The series with all dates of other series, and of those that were split off from them. */
async function withDatesOf(
  others: Reverting,
  own: Reverting,
  series: Series,
  successors: readonly number[],
): Promise<Series | Rejected> {
  let whole = series;
  for (const successor of successors) {
    const after = await takeBack(others, own, whole, successor);
    if ('rejection' in after) return after;
    whole = after;
  }
  return whole;
}

/**
 * Takes all dates of another series back. First that one is made alike, so that its dates are those of this one. Where
 * this one has got a date of its own at such a time, the other keeps its, which is left out.
 */
async function takeBack(others: Reverting, own: Reverting, series: Series, from: number): Promise<Series | Rejected> {
  const { unit, dependencies } = others;
  const other = await loadSeries(unit.store, from);
  if (!other) return series;
  const facts = (await unit.store.readStream(streamOfSeries(from))).map((event) => factOf<SeriesFact>(event));
  const all = await withDatesOf(others, others, other, successorsOf(facts));
  if ('rejection' in all) return all;
  const alike = await alikeTo(others, all, series);
  if ('rejection' in alike) return alike;
  let left: Series = alike;
  for (const { wallClock, isThere, isDetached } of alike.dates.values()) {
    if (!series.dates.has(wallClock) || !isThere || isDetached) continue;
    const skipped = await redated(unit, dependencies, left, { kind: 'skip', date: wallClock }, others.turn);
    if ('rejection' in skipped) return skipped;
    left = skipped;
  }
  const leave = [...left.dates.keys()].filter((wallClock) => !series.dates.has(wallClock));
  const ended = await record(others, left, leaveTo(series.id, { from: left.from, rules: [], added: [] }, leave));
  if ('rejection' in ended) return ended;
  return joined(own, series, left, leave);
}

/** Gives other series again what each had, from the last one to the first, and makes each as it was. */
async function withoutDatesOf(
  reverting: Reverting,
  series: Series,
  successors: readonly number[],
): Promise<Series | Rejected> {
  const { store } = reverting.unit;
  const all = await Promise.all(successors.map((successor) => loadSeries(store, successor)));
  const others = all.flatMap((other) => other ?? []).sort((one, other) => (one.from < other.from ? 1 : -1));
  let rest = series;
  for (const other of others) {
    const after = await giveAgain(reverting, rest, other);
    if ('rejection' in after) return after;
    rest = after;
  }
  return rest;
}

async function giveAgain(reverting: Reverting, series: Series, other: Series): Promise<Series | Rejected> {
  const { unit } = reverting;
  const events = await unit.store.readStream(streamOfSeries(other.id));
  const alike = await alikeTo(reverting, other, series);
  if ('rejection' in alike) return alike;
  const leave = [...series.dates.keys()].filter((day) => day >= alike.from && !alike.dates.has(day));
  const ended = endedBefore(series, alike.from) ?? series;
  const rest = await record(reverting, series, leaveTo(other.id, { ...ended, from: alike.from }, leave));
  if ('rejection' in rest) return rest;
  const whole = await joined(reverting, alike, series, leave);
  if ('rejection' in whole) return whole;
  const after = await asAt(reverting, whole, events, beforeLast(events, isLeaving(series.id)));
  return 'rejection' in after ? after : rest;
}

/** A series with dates that another one has left to it. A date that it had before has the place that it had. */
async function joined(
  reverting: Reverting,
  series: Series,
  other: Series,
  leave: readonly WallClock[],
): Promise<Series | Rejected> {
  const { unit } = reverting;
  const places = placesOf(await unit.store.readStream(streamOfSeries(series.id)));
  let { counted } = series;
  const taken = leave.flatMap((wallClock): KnownDate[] => {
    const date = other.dates.get(wallClock);
    if (!date) return [];
    const index = places.get(date.id);
    if (index === undefined) counted += 1;
    return [{ ...date, index: index ?? counted }];
  });
  const back: Decision<SeriesFact> = accepted([{ type: 'DatesTakenBack', data: { of: other.id, taken } }]);
  const whole = await record(reverting, series, back);
  if ('rejection' in whole) return whole;
  for (const date of taken) if (date.isDetached) await unit.record(`${EVENT_PREFIX}${date.id}`, joining(whole, date));
  return whole;
}

/** A series with the times and the content that another one has. */
async function alikeTo(reverting: Reverting, series: Series, to: Series): Promise<Series | Rejected> {
  const { dependencies, context } = reverting;
  const { duration, allDay } = to;
  const time = to.start.slice('YYYY-MM-DD '.length);
  const timed = await record(reverting, series, rescheduleSeries(series, { time, duration, allDay, text: '' }));
  if ('rejection' in timed) return timed;
  const { template } = timed;
  const { schedule, parent, slug } = template;
  const target = { ...to.template, schedule, parent, slug };
  const decision = revertEvent(template, target, 0, { now: context.now, siteZone: dependencies.siteZone, slug });
  if (decision.kind === 'rejected') return decision;
  const facts = decision.facts.filter(({ type }) => type !== 'EventReverted');
  if (facts.length === 0) return timed;
  return record(reverting, timed, accepted<SeriesFact>([{ type: 'SeriesContentChanged', data: { facts } }]));
}

/** The series as it was then. */
async function asThen(reverting: Reverting, series: Series, then: Series): Promise<Series | Rejected> {
  const { unit, dependencies } = reverting;
  const alike = await alikeTo(reverting, series, then);
  if ('rejection' in alike) return alike;
  const there = then.inTrash ? alike : await redated(unit, dependencies, alike, { kind: 'untrash' });
  if ('rejection' in there) return there;
  const ruled = await redated(unit, dependencies, there, { kind: 'rules', ...repeatingOf(then) });
  if ('rejection' in ruled || !then.inTrash) return ruled;
  return redated(unit, dependencies, ruled, { kind: 'trash' });
}

// When dates went from one series to another, and what was before, as the streams of series say it.

/** Whether dates went to another series. */
const isLeaving =
  (into: number) =>
  ({ type, data }: SeriesFact): boolean =>
    type === 'SeriesSplit' && data.into === into;

/** Whether dates went to another series or came from it. */
const isMoveBetween = (other: number) => (fact: SeriesFact) =>
  isLeaving(other)(fact) || (fact.type === 'DatesTakenBack' && fact.data.of === other);

/**
 * The last revision before the request that wrote the last such fact. What one request writes to a stream is in one piece.
 */
function beforeLast(events: readonly RecordedEvent[], isMeant: (fact: SeriesFact) => boolean): Revision {
  const at = events.findLastIndex((event) => isMeant(factOf(event)));
  const request = events[at]?.metadata;
  const earlier = events
    .slice(0, Math.max(at, 0))
    .findLast(
      ({ metadata }) => metadata.correlationId !== request?.correlationId || metadata.instant !== request.instant,
    );
  return earlier?.revision ?? 0;
}

/** The how-manieth date of a series each event is or was, by id: also those that went to other series. */
function placesOf(events: readonly RecordedEvent[]): ReadonlyMap<number, number> {
  const places = new Map<number, number>();
  const note = (series: Series | null): void => {
    for (const { id, index } of series?.dates.values() ?? []) places.set(id, index);
  };
  let series: Series | null = null;
  for (const event of events) {
    const fact = factOf<SeriesFact>(event);
    if (fact.type === 'SeriesSplit') note(series);
    series = evolveSeries(series, fact, instantOf(event));
  }
  note(series);
  return places;
}
