// Creating a calendar event that repeats: a series, and an event for each of its dates.
import { contentOf, EVENTS } from '../../../calendar/event/commands/events.ts';
import { attendanceOf, noticeProblem } from '../../../calendar/event/commands/notice-rule.ts';
import {
  type CalendarEvent,
  createEvent,
  type EventFact,
  type EventInput,
  evolveEvent,
} from '../../../calendar/event/domain/calendar-event.ts';
import { defaultStatus, newPostOf, postPatch } from '../../../calendar/resource/commands/post-input.ts';
import { settledStatus } from '../../../calendar/resource/domain/post.ts';
import type { CommandContext, CommandDependencies } from '../../../commands/context.ts';
import { handleCommandOnce } from '../../../commands/handle-command.ts';
import { normalisedSlug, originOf } from '../../../commands/reservations/reservations.ts';
import { evolveAll, rejected } from '../../../domain/decider.ts';
import { invalidParameter } from '../../../domain/rejections.ts';
import { slugFrom } from '../../../kernel/text/slug.ts';
import { parseCivil } from '../../../kernel/time/civil-time.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import { may } from '../../../people/auth/policy.ts';
import { HORIZON_SECONDS, type Opening, type Repeating } from '../domain/facts.ts';
import { openSeries, planOpening, rulesRejection } from '../domain/series.ts';
import { EVENT_PREFIX, SERIES_PREFIX } from '../facts/occurrences.ts';
import { datedAt, nameDates, seriesSlug } from './naming.ts';

const NOTHING_REPEATS: Repeating = { rules: [], added: [], skipped: [] };

/** The horizon of a series that starts at an instant. */
export const horizonAt = (now: EpochSeconds, startsAt: EpochSeconds): EpochSeconds =>
  Math.max(now, startsAt) + HORIZON_SECONDS;

/**
 * Creates an event that repeats; the answer is its first date. Rejections: those of a new event, and
 * `invalid_parameter` of `recurrence` with the reason.
 */
export function createRepeatingEvent(
  dependencies: CommandDependencies,
  context: CommandContext,
  input: EventInput,
  repeating: Partial<Repeating>,
) {
  return handleCommandOnce<CalendarEvent, EventFact>(dependencies, context, EVENTS, [], async (unit) => {
    const { caller, now } = context;
    const { siteZone } = dependencies;
    if (!may(caller, 'create', 'event')) return rejected('forbidden');
    // The parent of each date is the series.
    if (input.parent) return rejected(invalidParameter('post_parent'));
    const problem = await noticeProblem(unit, dependencies, context, input, null);
    if (problem) return rejected(problem);
    const author = input.author ?? caller?.id ?? 0;
    const post = await postPatch(unit, dependencies, context, input, newPostOf(context, author));
    if ('rejection' in post) return post;
    const filled = await contentOf(unit, dependencies, context, input, null);
    if ('rejection' in filled) return filled;
    const status = settledStatus(post.patch.status ?? defaultStatus(context), post.patch.date ?? now, now);
    const patch = { ...filled.content, ...post.patch, ...attendanceOf(input), author, status };
    const tried = createEvent(0, patch, { now, siteZone, slug: '' });
    if (tried.kind === 'rejected') return tried;
    const schedule = evolveAll(evolveEvent, null, tried.facts, now)?.schedule;
    if (!schedule) return rejected(invalidParameter('start_date'));
    const recurrence = {
      start: schedule.start,
      from: schedule.start,
      zone: schedule.timezone,
      allDay: schedule.allDay,
      duration: parseCivil(schedule.end) - parseCivil(schedule.start),
      ...NOTHING_REPEATS,
      ...datedAt(repeating, schedule.start),
    };
    const horizon = horizonAt(now, schedule.startsAt);
    const plan = planOpening({ id: 0, ...recurrence, horizon, splitFrom: null });
    if ('fault' in plan) return rejected(rulesRejection(plan.detail));
    if (plan.come.length === 0) return rejected(rulesRejection('it has no date'));
    const id = await unit.nextId(dependencies.postIds, 'series');
    const inputSlug = normalisedSlug(input.slug);
    const base = inputSlug || slugFrom(input.title ?? '');
    const slug = await seriesSlug(unit, id, { base, origin: originOf(inputSlug) });
    const naming = await nameDates(unit, dependencies, { id, slug, days: new Set() }, plan);
    const drafted = createEvent(id, patch, { now, siteZone, slug });
    if (drafted.kind === 'rejected') return drafted;
    const opening: Opening = { id, ...recurrence, horizon, splitFrom: null };
    const decision = openSeries(opening, drafted.facts, naming);
    if (decision.kind === 'rejected') return decision;
    await unit.record(`${SERIES_PREFIX}${id}`, decision.facts);
    const [first = 0] = naming.drawn;
    return { kind: 'planned', id: first, stream: `${EVENT_PREFIX}${first}`, evolve: evolveEvent, created: true };
  });
}
