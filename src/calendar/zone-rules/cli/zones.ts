// `daybook zones`: shows the zone rules of the log, and what those of this process would move; `--apply` moves it.

import { command } from '../../../cli/command.ts';
import { UsageError } from '../../../cli/errors.ts';
import { interruption } from '../../../cli/terminal.ts';
import { JSON_FLAG } from '../../../cli/values.ts';
import { onLog, SURROUNDINGS, type Surroundings } from '../../../cli/with-log.ts';
import { counted } from '../../../kernel/text/counted.ts';
import { formatCivil } from '../../../kernel/time/civil-time.ts';
import { SYSTEM_ZONE_RULES } from '../../../kernel/time/system.ts';
import type { ZoneRules } from '../../../kernel/time/zone.ts';
import { LOG_START, type Position } from '../../../log/envelope.ts';
import type { EventStore } from '../../../log/event-store.ts';
import { type Log, openLog } from '../../../observability/log.ts';
import { type Affected, affectedBy, ageOfRules, nextStep, rulesOfLog } from '../commands/zone-rules.ts';
import { olderRulesText, openSweep } from '../reactions/zone-rules-follower.ts';

interface ZonesDependencies extends Surroundings {
  readonly store: EventStore;
  /** The rules of this process; null if unknown. */
  readonly rules: ZoneRules | null;
  readonly log: Log;
  /** Brings the views up to date. */
  readonly project: () => Promise<unknown>;
  readonly signal: AbortSignal;
}

export const zonesCommand = command(
  {
    name: 'zones',
    description: [
      'Compares the time zone rules of this Node with those that the log was written under. Without --apply nothing is changed. A running service applies newer rules by itself.',
    ],
    options: { apply: { description: 'record the newer rules and move the events' }, json: JSON_FLAG },
    examples: [
      ['daybook zones', 'lists the events that would move'],
      ['daybook zones --apply', 'moves them'],
    ],
  },
  async ({ apply }, dependencies: ZonesDependencies) => {
    const { store, rules } = dependencies;
    if (rules === null) throw new UsageError('this runtime does not say which zone rules it has.', 1);
    const { release } = await rulesOfLog(store);
    const age = ageOfRules(rules.release, release);
    const affected = age === 'older' ? [] : await allAffected(dependencies, rules);
    const report = { process: rules.release, log: release, standing: age, events: affected.map(reportOf) };
    const lines = linesOf(report);
    if (!apply) return { json: report, lines };
    if (age === 'older') return { json: report, lines, code: 1 };
    const { newId, now, log, signal } = dependencies;
    const sweep = openSweep({ store, rules, newId, newEventId: newId, clock: { now }, log });
    const adjusted = await sweep.run(signal);
    await dependencies.project();
    const end =
      adjusted === null ? 'Another process has recorded newer rules.' : `${counted(adjusted, 'event')} adjusted.`;
    return { json: report, lines: [...lines, end], code: adjusted === null ? 1 : 0 };
  },
  (work, { apply }) =>
    onLog(apply ? 'existing' : 'read', ({ store, project }, { logLevel }) => ({
      ...SURROUNDINGS,
      store,
      project,
      rules: SYSTEM_ZONE_RULES,
      log: openLog(logLevel),
      signal: interruption(),
    }))(work),
);

/** All events that would move, in the order of their present starts. */
async function allAffected({ store, now, signal }: ZonesDependencies, rules: ZoneRules): Promise<readonly Affected[]> {
  const byId = new Map<number, Affected>();
  const at = now();
  for (let after: Position = LOG_START; !signal.aborted; ) {
    const step = await nextStep(store, rules, { after, now: at });
    if (step.facts === 0) break;
    for (const id of step.ids) {
      const affected = byId.has(id) ? null : await affectedBy(store, rules, { id, now: at });
      if (affected) byId.set(id, affected);
    }
    after = step.upTo;
  }
  return [...byId.values()].sort((one, other) => one.before.startsAt - other.before.startsAt || one.id - other.id);
}

type Times = ReturnType<typeof timesOf>;

const timesOf = ({ start, end, startsAt, endsAt }: Affected['before']) => ({
  start_date: start,
  end_date: end,
  utc_start_date: formatCivil(startsAt),
  utc_end_date: formatCivil(endsAt),
});

const reportOf = ({ id, title, before, after }: Affected) => ({
  id,
  title,
  timezone: before.timezone,
  before: timesOf(before),
  after: timesOf(after),
});

interface Report {
  readonly process: string;
  readonly log: string | null;
  /** Whether the rules of this process are older or newer than those of the log. */
  readonly standing: ReturnType<typeof ageOfRules>;
  readonly events: readonly ReturnType<typeof reportOf>[];
}

function linesOf({ process, log, standing: age, events }: Report): string[] {
  if (age === 'older') return [olderRulesText(process, log)];
  const head = `Zone rules of this process: ${process}; of the log: ${log ?? 'not recorded yet'}.`;
  if (events.length === 0) return [head, 'No future events would move.'];
  return [
    head,
    ...events.map(
      ({ id, title, timezone, before, after }) => `events/${id}  ${timezone}  ${moved(before, after)}  ${title}`,
    ),
    `${counted(events.length, 'future event')} would move.`,
  ];
}

/** The instants if the wall clock stays; otherwise the wall clocks. */
function moved(before: Times, after: Times): string {
  const isSameClock = before.start_date === after.start_date && before.end_date === after.end_date;
  if (!isSameClock) return `${before.start_date} → ${after.start_date}, end ${before.end_date} → ${after.end_date}`;
  if (before.utc_start_date === after.utc_start_date)
    return `ends ${before.end_date} = ${before.utc_end_date}Z → ${after.utc_end_date}Z`;
  return `${before.start_date} = ${before.utc_start_date}Z → ${after.utc_start_date}Z`;
}
