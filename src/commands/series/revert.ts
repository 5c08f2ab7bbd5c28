// Brings a series back to what it was at one of its revisions: its rules, its times, what its dates have in common. Dates
// that come back have their ids, and what was split off since comes back as well. Dates that were changed alone stay as
// they are.
import { may } from '../../auth/policy.ts';
import { accepted, type Decision } from '../../domain/decider.ts';
import type { Rejection } from '../../domain/rejections.ts';
import { revertEvent } from '../../domain/revert.ts';
import type { KnownDate, Series, SeriesFact } from '../../domain/series/facts.ts';
import { evolveSeries, joining } from '../../domain/series/occurrences.ts';
import { rescheduleSeries } from '../../domain/series/series.ts';
import { factOf, fold, type RecordedEvent, type Revision } from '../../event-store/envelope.ts';
import { EVENT_PREFIX } from '../../event-store/occurrences.ts';
import type { CommandContext, CommandDependencies } from '../context.ts';
import { type CommandResult, handleCommand, refused } from '../handle-command.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { loadSeries, recorded, redated, streamOfSeries } from './record.ts';

type Refusal = { readonly rejection: Rejection };

interface Reverting {
  readonly unit: UnitOfWork;
  /** The series that was asked for. */
  readonly root: number;
  readonly dependencies: CommandDependencies;
  readonly context: CommandContext;
}

/** Rejections: `series_not_found`, `forbidden`, `precondition_failed`, `revision_not_found`, `busy`. */
export function revertSeries(
  dependencies: CommandDependencies,
  context: CommandContext,
  id: number,
  revision: Revision,
): Promise<CommandResult<Series>> {
  const stream = streamOfSeries(id);
  return handleCommand<Series, SeriesFact>(dependencies, context, [stream], async (unit) => {
    const events = await unit.store.readStream(stream);
    const now = fold<Series, SeriesFact>(events, evolveSeries);
    if (!may(context.caller, 'update', 'event', now?.template)) return refused({ code: 'forbidden' });
    if (!now) return refused({ code: 'series_not_found' });
    const last = events.length - 1;
    const { ifRevision } = context;
    if (ifRevision !== undefined && ifRevision !== last) return refused({ code: 'precondition_failed' });
    const then = fold<Series, SeriesFact>(events.slice(0, revision + 1), evolveSeries);
    if (!then || revision < 0 || revision > last)
      return refused({ code: 'revision_not_found', details: { revision, last_revision: last } });
    const planned = { kind: 'planned', id, stream, evolve: evolveSeries, created: false } as const;
    if (revision === last) return planned;
    const reverting = { unit, root: id, dependencies, context };
    const named = await recorded(unit, now, id, accepted([{ type: 'SeriesReverted', data: { toRevision: revision } }]));
    if ('rejection' in named) return refused(named.rejection);
    const whole = await withSplitOff(reverting, named, events.slice(revision + 1), events);
    const after = 'rejection' in whole ? whole : await asThen(reverting, whole, then);
    return 'rejection' in after ? refused(after.rejection) : planned;
  });
}

/** What another series leaves is written before it is taken back. */
const record = ({ unit, root }: Reverting, series: Series, id: number, decision: Decision<SeriesFact>) =>
  recorded(unit, series, id, decision, id === root ? 'in turn' : 'first');

/** With the dates of every series that was split off since. */
async function withSplitOff(
  reverting: Reverting,
  series: Series,
  since: readonly RecordedEvent[],
  all: readonly RecordedEvent[],
): Promise<Series | Refusal> {
  let whole: Series = series;
  for (const event of since) {
    const fact = factOf<SeriesFact>(event);
    if (fact.type !== 'SeriesSplit' || !whole.left.some((wallClock) => fact.data.leave.includes(wallClock))) continue;
    const before = fold<Series, SeriesFact>(
      all.filter(({ revision }) => revision < event.revision),
      evolveSeries,
    );
    const after = await takeBack(reverting, whole, before, fact.data.into);
    if ('rejection' in after) return after;
    whole = after;
  }
  return whole;
}

/** Takes all dates of another series back. First that one is made alike, so that its dates are those of this one. */
async function takeBack(
  reverting: Reverting,
  series: Series,
  before: Series | null,
  from: number,
): Promise<Series | Refusal> {
  const { unit } = reverting;
  const stream = streamOfSeries(from);
  const other = await loadSeries(unit, from);
  if (!other) return series;
  const own = await withSplitOff(
    reverting,
    other,
    await unit.store.readStream(stream),
    await unit.store.readStream(stream),
  );
  if ('rejection' in own) return own;
  const alike = await alikeTo(reverting, own, series);
  if ('rejection' in alike) return alike;
  const leave = [...alike.dates.keys()];
  const gone = { from: alike.from, into: series.id, rules: [], added: [], leave };
  const ended = await record(reverting, alike, from, accepted<SeriesFact>([{ type: 'SeriesSplit', data: gone }]));
  if ('rejection' in ended) return ended;
  let { counted } = series;
  const taken = [...alike.dates.values()].map((date): KnownDate => {
    const index = before?.dates.get(date.wallClock)?.index;
    if (index === undefined) counted += 1;
    return { ...date, index: index ?? counted };
  });
  const back: Decision<SeriesFact> = accepted([{ type: 'DatesTakenBack', data: { of: from, taken } }]);
  const whole = await record(reverting, series, series.id, back);
  if ('rejection' in whole) return whole;
  for (const date of taken) if (date.isDetached) await unit.record(`${EVENT_PREFIX}${date.id}`, joining(whole, date));
  return whole;
}

/** The times and the content that another one has. */
async function alikeTo(reverting: Reverting, series: Series, to: Series): Promise<Series | Refusal> {
  const { dependencies, context } = reverting;
  const { duration, allDay } = to;
  const time = to.start.slice('YYYY-MM-DD '.length);
  const timed = await record(
    reverting,
    series,
    series.id,
    rescheduleSeries(series, { time, duration, allDay, text: '' }),
  );
  if ('rejection' in timed) return timed;
  const { template } = timed;
  const { schedule, parent, slug } = template;
  const target = { ...to.template, schedule, parent, slug };
  const decision = revertEvent(template, target, 0, { now: context.now, siteZone: dependencies.siteZone, slug });
  if (decision.kind === 'rejected') return decision;
  const facts = decision.facts.filter(({ type }) => type !== 'EventReverted');
  if (facts.length === 0) return timed;
  return record(reverting, timed, series.id, accepted<SeriesFact>([{ type: 'SeriesContentChanged', data: { facts } }]));
}

/** The series as it was then. */
async function asThen(reverting: Reverting, series: Series, then: Series): Promise<Series | Refusal> {
  const { unit, dependencies } = reverting;
  const alike = await alikeTo(reverting, series, then);
  if ('rejection' in alike) return alike;
  const there = then.inTrash ? alike : await redated(unit, dependencies, alike, { kind: 'untrash' });
  if ('rejection' in there) return there;
  const { rules, added, skipped } = then;
  const ruled = await redated(unit, dependencies, there, { kind: 'rules', rules, added, skipped });
  if ('rejection' in ruled || !then.inTrash) return ruled;
  return redated(unit, dependencies, ruled, { kind: 'trash' });
}
