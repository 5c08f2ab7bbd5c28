// Writes to one date of a series, to it and those that follow, or to all; and what they would do to the dates.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { changeCalendarEvent, trashCalendarEvent } from '../../../calendar/event/commands/events.ts';
import type { CalendarEvent, EventInput } from '../../../calendar/event/domain/calendar-event.ts';
import { reschedule } from '../../../calendar/event/domain/schedule.ts';
import { loadEvent } from '../../../calendar/resource/commands/references.ts';
import type { CommandContext, CommandDependencies } from '../../../commands/context.ts';
import { onDryRun } from '../../../commands/dry-run.ts';
import type { CommandResult } from '../../../commands/handle-command.ts';
import type { Body } from '../../../http/answers/reply.ts';
import { invalidParameters, rejectionError } from '../../../http/errors.ts';
import { POSITION_HEADER } from '../../../http/routes/writing.ts';
import { formatCivil, parseCivil } from '../../../kernel/time/civil-time.ts';
import type { Position } from '../../../log/envelope.ts';
import { may } from '../../../people/auth/policy.ts';
import { digestOf } from '../../../queries/digest.ts';
import {
  changeRepeatingEvent,
  restoreLeftOutDate,
  type SeriesChange,
  trashRepeatingEvent,
} from '../commands/change.ts';
import { type ComparedDates, compareDates, loadAllOfSeries } from '../commands/compare-dates.ts';
import { horizonAt } from '../commands/create.ts';
import { refusedRule } from '../commands/rule-check.ts';
import type { Repeating, Scope } from '../domain/facts.ts';
import { MAX_SERIES_DATES } from '../domain/rule-set.ts';
import { rulesRejection } from '../domain/series.ts';

/** What a request says besides the content of the event. */
export interface ScopeInput {
  readonly scope?: Scope;
  readonly dry_run?: boolean;
  readonly recurrence?: Partial<Repeating>;
}

export type EventCommand = (
  commands: CommandDependencies,
  context: CommandContext,
) => Promise<CommandResult<CalendarEvent>>;

/** Refuses rules that have no dates from the start on, before anything is decided. `id`: a date of the series. */
export async function checkRules(
  { now, caller }: FastifyRequest,
  { store, siteZone }: Pick<CommandDependencies, 'store' | 'siteZone'>,
  { recurrence, times = {}, id }: Pick<ScopeInput, 'recurrence'> & Pick<EventInput, 'times'> & { readonly id?: number },
): Promise<void> {
  // A request without credentials writes nothing anyway.
  if (caller === null || !recurrence?.rules) return;
  const event = id === undefined ? null : await loadEvent(store, id);
  const isTheirs = may(caller, 'update', 'event', event ?? undefined);
  const [series] = event?.series && isTheirs ? await loadAllOfSeries(store, event.series.id) : [];
  const plan = reschedule(null, times, { now, siteZone });
  const first = series?.start ?? ('schedule' in plan ? plan.schedule.start : formatCivil(now));
  const last = formatCivil(horizonAt(now, parseCivil(first)));
  const refused = await refusedRule({ rules: recurrence.rules, bounds: { first, last, most: 2 * MAX_SERIES_DATES } });
  if (!refused) return;
  throw rejectionError(rulesRejection(refused.detail), caller);
}

/** The command of a change; one date changes alone unless a wider scope is asked for. */
export const changeOf =
  (id: number, input: EventInput, { scope = 'this', recurrence }: ScopeInput): EventCommand =>
  async (commands, context) => {
    if (scope === 'this' && recurrence !== undefined) throw invalidParameters('scope');
    if (scope === 'this') {
      const restored = (await isRestoring(commands, id, input)) && (await restoreLeftOutDate(commands, context, id));
      return restored || changeCalendarEvent(commands, context, id, input);
    }
    const change: SeriesChange = { input, ...(recurrence && { repeating: recurrence }) };
    return changeRepeatingEvent(commands, context, id, scope, change);
  };

/** Whether nothing is asked for but that a date of a series comes out of the trash. */
async function isRestoring(
  { store }: Pick<CommandDependencies, 'store'>,
  id: number,
  { status, ...others }: EventInput,
): Promise<boolean> {
  if (status === undefined || status === 'trash' || Object.keys(others).length > 0) return false;
  const event = await loadEvent(store, id);
  return event?.status === 'trash' && event.series !== undefined;
}

/** The command of a deletion. */
export const trashOf =
  (id: number, { scope = 'this' }: ScopeInput): EventCommand =>
  async (commands, context) => {
    const event = await loadEvent(commands.store, id);
    if (!event?.series && scope !== 'this') throw invalidParameters('scope');
    const isAlone = !event?.series || (scope === 'this' && event.series.isOverride === true);
    return isAlone ? trashCalendarEvent(commands, context, id) : trashRepeatingEvent(commands, context, id, scope);
  };

/** What is only tried out need not be reviewed. */
export const UNREVIEWED: NonNullable<CommandContext['within']> = (_unit, attempt) => attempt();

/** The dates of a series before and after a command that is only tried out. */
export async function tryOnDates(
  commands: CommandDependencies,
  context: CommandContext,
  id: number,
  command: EventCommand,
): Promise<ComparedDates> {
  const tried = onDryRun(commands);
  const event = await loadEvent(commands.store, id);
  if (!event?.series) throw invalidParameters('dry_run');
  const before = await loadAllOfSeries(commands.store, event.series.id);
  const result = await command(tried, { ...context, within: UNREVIEWED });
  if (result.kind === 'rejected') throw rejectionError(result.rejection, context.caller);
  return compareDates(before, await loadAllOfSeries(tried.store, event.series.id));
}

/** The answer to a dry run on the log as it is at a position. */
export function triedOnDates(
  reply: FastifyReply,
  { scope = 'this' }: ScopeInput,
  dates: ComparedDates,
  position: Position,
): Body {
  const body = JSON.stringify({ dry_run: true, scope, dates });
  reply
    .code(200)
    .header('etag', `"${digestOf(body)}"`)
    .header(POSITION_HEADER, position);
  return body;
}
