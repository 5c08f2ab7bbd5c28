// One poll of a source, from its answer to what became of it. What it writes has one request id.

import type { CostDisplay } from '../../calendar/event/domain/currency.ts';
import { openDryRunStore } from '../../commands/dry-run-store.ts';
import type { ProposalDependencies } from '../../editorial/proposals/commands/proposals.ts';
import { openQueue } from '../../kernel/event-loop/shared-work.ts';
import type { EpochSeconds, Zone } from '../../kernel/time/zone.ts';
import type { EventStore } from '../../log/event-store.ts';
import type { User } from '../../people/auth/caller.ts';
import { originOf } from '../export/resources.ts';
import { type Fetched, fetchText, type Network, NotModified } from '../import/fetch-text.ts';
import { Unreadable } from '../import/fields.ts';
import type { ImportPlan } from '../import/import-plan.ts';
import { type ImportSummary, openImportSummary } from '../import/import-summary.ts';
import { collectPortions } from '../import/jobs/portions.ts';
import { ReadingEnded, readInThread } from '../import/jobs/reading-thread.ts';
import type { ReadAnswer } from '../import/jobs/reading-worker.ts';
import { AT_ONCE, HORIZON, LIMITS, MAX_RESOURCES, READING_MS } from '../import/jobs/run.ts';
import { SILENT } from '../import/progress.ts';
import { fetchedFrom, ownerOf } from '../import/read-source.ts';
import { writeAll } from '../import/run.ts';
import { openCachingStore } from '../import/write/caching-store.ts';
import type { ImportCommands, Writing } from '../import/write/writing.ts';
import { type ItemChanges, loadItems, loadSource } from './commands/sources.ts';
import { type Compared, compareWith, unreadAmong } from './compare.ts';
import { heldBack, missingFrom, type SourceItem } from './domain/items.ts';
import {
  NO_COUNTS,
  type PollCounts,
  type PollEnd,
  type PollFailure,
  type PollProblem,
  type Source,
  type Validators,
  validatorsAt,
} from './domain/source.ts';
import { bringBack, dealWithMissing } from './missing.ts';
import { withoutOwnCopies } from './own-copies.ts';
import { type ProposedItem, type Proposing, proposeEvent, proposeMissing } from './propose.ts';

export interface PollDependencies {
  /** One that lets requests have their turn. */
  readonly store: EventStore;
  readonly commandsFor: (zone: Zone) => ImportCommands;
  /** With ids and turns of their own. */
  readonly dryCommandsOn: (store: EventStore, zone: Zone) => ImportCommands;
  readonly proposals: ProposalDependencies;
  readonly display: CostDisplay;
  readonly siteZone: Zone;
  readonly network: Network;
  readonly clock: { now(): EpochSeconds };
  readonly report: (error: unknown) => void;
  /** Limits of what one poll reads; absent: those of imports. */
  readonly bounds?: PollBounds;
}

interface PollBounds {
  /** Resources in an answer, all pages together. */
  readonly resources: number;
  /** Aborted once reading has taken too long; called when it begins. */
  readonly reading: () => AbortSignal;
}

const BOUNDS: PollBounds = { resources: MAX_RESOURCES, reading: () => AbortSignal.timeout(READING_MS) };

interface PollOptions {
  readonly request: string;
  /** In whose name. */
  readonly user: User;
  /** `as its mode says`, or only to look. */
  readonly how: 'carried out' | 'dry run';
  /** `confirmed`: what disappeared is taken away, however much it is. */
  readonly losses: 'guarded' | 'confirmed';
  readonly signal: AbortSignal;
  readonly turns: PollTurns;
}

/** What polls wait for: each other where they take memory or write, but never for a server of another source. */
interface PollTurns {
  readonly reading: Turns;
  readonly writing: Turns;
}

/** Begins the work when it is its turn. Its signal is aborted when it is to make room for others. */
export type Turns = <Result>(work: (room: AbortSignal) => Promise<Result>) => Promise<Result>;

/**
 * So many works at a time, the others in the order in which they came. One that waits for so many milliseconds takes the
 * place of the one that has had it longest.
 */
export function openTurns(atOnce: number, patienceMs: number): Turns {
  const inTurn = openQueue({ atOnce });
  const working = new Set<AbortController>();
  const endOldest = (): void => [...working].find(({ signal }) => !signal.aborted)?.abort();

  return (work) => {
    const impatience = setInterval(endOldest, patienceMs);
    return inTurn(async () => {
      clearInterval(impatience);
      const own = new AbortController();
      working.add(own);
      try {
        return await work(own.signal);
      } finally {
        working.delete(own);
      }
    });
  };
}

export interface PollResult {
  readonly end: PollEnd | PollFailure;
  /** What is to be recorded with it; null: nothing. */
  readonly items: ItemChanges | null;
}

/** Proposals of one poll; the rest is proposed by the next one. */
const MAX_PROPOSALS = 200;

/** Rejects only if the log is unavailable, or with the reason of the signal. */
export async function pollSource(
  dependencies: PollDependencies,
  source: Source,
  options: PollOptions,
): Promise<PollResult> {
  const { losses, how, turns } = options;
  const isWhole = losses === 'confirmed' || how === 'dry run';
  const summary = openImportSummary();
  const now = dependencies.clock.now();
  const validators = isWhole ? null : validatorsAt(source, now);
  const polling = { ...dependencies, source, options, summary, now, validators };
  const first = await fetchFirst(polling);
  if (first.kind !== 'read') return withNotes(polling, await take(polling, first));
  // What was read stays in memory until it is written.
  return turns.reading(async (room) => {
    const said = await readSource(polling, first.fetched, room);
    return turns.writing(async () => withNotes(polling, await take(polling, said)));
  });
}

const withNotes = ({ summary: { refused, notes } }: Polling, { end, items }: PollResult): PollResult => ({
  end: { ...end, notes: [...refused, ...notes] },
  items,
});

/** One poll under way. */
interface Polling extends PollDependencies {
  readonly source: Source;
  readonly options: PollOptions;
  readonly summary: ImportSummary;
  readonly now: EpochSeconds;
  readonly validators: Validators | null;
}

async function take(polling: Polling, said: Said): Promise<PollResult> {
  const { source, options, summary, now, validators } = polling;
  const { request, losses, how } = options;
  const failed = (problem: PollProblem, detail: string, counts: PollCounts = NO_COUNTS): PollResult => ({
    end: { request, problem, detail, counts },
    items: null,
  });
  if (options.signal.aborted) return failed('interrupted', '');
  if (said.kind === 'failed') return failed(said.problem, said.detail);
  // Reading and waiting take minutes, in which the source may have been removed.
  if (!(await loadSource(polling.store, source.id))) return failed('interrupted', '');
  const isSame = said.kind === 'same' || (validators !== null && said.answer.hash === validators.hash);
  if (isSame) return { end: { request, outcome: 'unchanged', counts: NO_COUNTS, validators }, items: null };
  const items = await loadItems(polling.store, source.id);
  const { store, siteZone } = polling;
  const compared = await withoutOwnCopies(store, await compareWith(items, said.plan, siteZone), siteZone);
  const refused = summary.refused.length;
  const [fault] = summary.refused;
  // An error that is told as an answer, for example.
  if (fault && compared.total === 0) return failed('unreadable', fault.reason, { ...NO_COUNTS, refused });
  // What could not be read is not missing.
  const unread = unreadAmong(items, summary.refused);
  for (const origin of compared.older)
    summary.note('event', origin, 'its SEQUENCE is lower than before, so it is an older version: it is ignored');
  // What cannot be proposed as a series is proposed to be taken away as what is missing.
  const replaced = source.mode === 'propose' ? new Set<string>() : compared.replaced;
  const doubt = { now, onMissing: source.onMissing };
  const missing = missingFrom(items, compared.keys, doubt).filter(({ key }) => !unread.has(key) && !replaced.has(key));
  const problem =
    losses === 'confirmed'
      ? null
      : heldBack(items, { missing: missing.length, events: compared.total, moved: source.moved, ...doubt });
  if (problem) return failed(problem, '', { ...NO_COUNTS, missing: missing.length, refused });
  const run = { ...polling, compared, missing, items };
  const result = await (source.mode === 'propose' && how === 'carried out' ? propose(run) : write(run));
  const isLooked = source.mode === 'ignore' || how === 'dry run';
  const { etag, lastModified, hash } = said.answer;
  const counts = { ...result.counts, missing: missing.length, refused: summary.refused.length };
  const forgotten = result.isWhole ? [...replaced, ...compared.rejoined] : [];
  const { unchanged, ...others } = counts;
  const done = [result.items.length, forgotten.length, ...Object.values(others)];
  // Some pages are other bytes each time, for the same records.
  const isSameAgain = validators !== null && result.isWhole && done.every((count) => count === 0);
  const written = isSameAgain ? 'unchanged' : 'applied';
  return {
    end: {
      request,
      counts,
      outcome: isLooked ? 'looked' : source.mode === 'propose' ? 'proposed' : written,
      validators: result.isWhole ? { etag, lastModified, hash } : null,
    },
    items: isLooked ? null : { items: result.items, forgotten },
  };
}

type Said =
  | { readonly kind: 'read'; readonly plan: ImportPlan; readonly answer: ReadAnswer }
  | { readonly kind: 'same' }
  | { readonly kind: 'failed'; readonly problem: PollProblem; readonly detail: string };

type FirstAnswer = { readonly kind: 'read'; readonly fetched: Fetched } | Exclude<Said, { readonly kind: 'read' }>;

/** Most polls find nothing new, or no calendar: they need no thread, and wait for no other source. */
async function fetchFirst(polling: Polling): Promise<FirstAnswer> {
  const { network, validators, options, source } = polling;
  const limits = { ...LIMITS, network, signal: options.signal, ...(validators && { validators }) };
  try {
    return { kind: 'read', fetched: await fetchText(fetchedFrom(source.address), limits) };
  } catch (error) {
    return failureOf(error, polling);
  }
}

async function readSource(polling: Polling, first: Fetched, room: AbortSignal): Promise<Said> {
  const { store, clock, siteZone, network, display, bounds = BOUNDS, source, options, summary } = polling;
  // Plain values of now: settings of the site may change at any time.
  const { signBefore, signAfter, freeLabel, language } = display;
  const task = {
    source: source.address,
    owner: ownerOfRecords(source),
    folder: null,
    mapping: null,
    resources: bounds.resources,
    limits: { ...LIMITS, network, first },
    // A series cannot be proposed as one.
    rules: source.mode === 'propose' ? 'expanded' : 'kept',
    display: { signBefore, signAfter, freeLabel, language },
    siteZone: siteZone.name,
    until: clock.now() + HORIZON,
    ownOrigin: await originOf(store),
    now: clock.now(),
  } as const;
  try {
    const reading = readInThread(task, () => {}, AbortSignal.any([options.signal, room, bounds.reading()]));
    const { plan, end } = await collectPortions(reading, summary);
    if (end.isTooMuch) return { kind: 'failed', problem: 'too_many', detail: '' };
    const fault = summary.refused.find(({ kind }) => kind === 'source');
    if (fault) return { kind: 'failed', problem: 'unreadable', detail: fault.reason };
    return { kind: 'read', plan, answer: end.answer };
  } catch (error) {
    return failureOf(error, polling);
  }
}

function failureOf(error: unknown, { options, report }: Polling): Exclude<Said, { readonly kind: 'read' }> {
  if (error instanceof NotModified) return { kind: 'same' };
  if (options.signal.aborted) return { kind: 'failed', problem: 'interrupted', detail: '' };
  if (error instanceof Unreadable) return { kind: 'failed', problem: 'unreadable', detail: error.message };
  if (error instanceof ReadingEnded) return { kind: 'failed', problem: 'too_large', detail: '' };
  report(error);
  return { kind: 'failed', problem: 'fault', detail: '' };
}

const ownerOfRecords = ({ id, origin, isApart }: Source): string =>
  `${ownerOf(origin)}${isApart ? `#source-${id}` : ''}`;

interface Run extends Polling {
  readonly compared: Compared;
  readonly missing: readonly SourceItem[];
  readonly items: ReadonlyMap<string, SourceItem>;
}

interface Carried {
  readonly counts: PollCounts;
  readonly items: readonly SourceItem[];
  /** Whether nothing is left for the next poll. */
  readonly isWhole: boolean;
}

function writingOf({ summary, now, options, source, items }: Run, commands: ImportCommands): Writing {
  const known = [...items.values()].flatMap(({ key, event }) => (event === undefined ? [] : [[key, event] as const]));
  return {
    commands,
    summary,
    now,
    correlationId: options.request,
    ids: new Map(),
    grantedIds: new Map(),
    idsByKey: new Map(known),
    formerKeys: items,
    startedBy: { user: options.user, status: source.status },
    atOnce: AT_ONCE,
  };
}

const hostOf = ({ address }: Source): string => URL.parse(address)?.host ?? '';

async function write(run: Run): Promise<Carried> {
  const { compared, missing, source, options, store, siteZone, summary } = run;
  const isDry = source.mode === 'ignore' || options.how === 'dry run';
  const commands = isDry
    ? run.dryCommandsOn(openCachingStore(openDryRunStore(store)), siteZone)
    : { ...run.commandsFor(siteZone), store: openCachingStore(store) };
  const writing = writingOf(run, commands);
  const back = [];
  for (const one of compared.events) back.push((await bringBack(writing, one)).planned);
  const { remainder } = await writeAll(writing, { ...compared.plan, events: back }, SILENT, options.signal);
  const gone: SourceItem[] = [];
  for (const item of missing) {
    if (options.signal.aborted) break;
    gone.push(await dealWithMissing(writing, item, { onMissing: source.onMissing, host: hostOf(source) }));
  }
  const isWhole = remainder === 0 && gone.length === missing.length;
  const { created = 0, changed = 0, unchanged = 0 } = summary.counts().get('event') ?? {};
  return {
    counts: { ...NO_COUNTS, created, changed, unchanged: unchanged + compared.unchanged },
    // What was interrupted is compared again with what was known before.
    items: isWhole ? [...compared.items, ...gone] : [],
    isWhole: isWhole && gone.every(({ missing: fate }) => fate !== undefined),
  };
}

async function propose(run: Run): Promise<Carried> {
  const { compared, missing, source, options, proposals } = run;
  const writing = writingOf(run, run.commandsFor(run.siteZone));
  const proposing: Proposing = {
    proposals,
    writing,
    user: options.user,
    host: hostOf(source),
    plan: compared.plan,
  };
  const { onMissing } = source;
  const done = new Map<string, ProposedItem>();
  const steps: (() => Promise<ProposedItem>)[] = [
    ...compared.events.map((event) => () => proposeEvent(proposing, event)),
    ...missing.map((item) => async (): Promise<ProposedItem> => {
      const left = { item: { ...item, missing: 'left' }, outcome: 'unchanged' } as const;
      return onMissing === 'leave' ? left : proposeMissing(proposing, item, onMissing);
    }),
  ];
  let proposed = 0;
  for (const step of steps) {
    if (options.signal.aborted || proposed >= MAX_PROPOSALS) break;
    const result = await step();
    if (result.outcome === 'proposed') proposed += 1;
    done.set(result.item.key, result);
  }
  const of = (outcome: ProposedItem['outcome']) => [...done.values()].filter((one) => one.outcome === outcome).length;
  const isWhole = done.size === steps.length;
  const others = compared.items.filter(({ kind }) => kind !== 'event');
  const changed = new Set(compared.events.map(({ item }) => item.key));
  const same = compared.items.filter(({ key, kind }) => kind === 'event' && !changed.has(key));
  return {
    counts: { ...NO_COUNTS, proposed, unchanged: of('unchanged') + compared.unchanged },
    items: [...[...done.values()].map(({ item }) => item), ...(isWhole ? [...others, ...same] : [])],
    isWhole,
  };
}
