// The calendar at an instant to come: a read model over the log that follows it, and on top what will have happened
// by then. Only that is taken off and put on again for another question; questions take turns.

import { changesOf } from '../../../../projections/changes.ts';
import { type AnyProjection, withSkips } from '../../../../projections/projection.ts';
import type { PostKind } from '../../../calendar/resource/domain/post.ts';
import type { Rejection } from '../../../domain/rejections.ts';
import { openQueue } from '../../../kernel/event-loop/shared-work.ts';
import { nextTurn } from '../../../kernel/event-loop/turns.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import type { Position, RecordedEvent } from '../../../log/envelope.ts';
import type { StreamReader } from '../../../log/event-store.ts';
import type { Caller } from '../../../people/auth/caller.ts';
import { type DocumentKey, type DocumentKind, keyText } from '../../../read-model/documents.ts';
import { readControl } from '../../../read-model/projector/control.ts';
import type { ReadModel } from '../../../read-model/read-model.ts';
import { wholeHead } from '../../change-sets/facts/whole-sets.ts';
import { type FoldedStore, keyIn, presentOf } from './folded-log.ts';
import { type LogModel, openLogModel, openLogStorage } from './log-storage.ts';

export interface AheadQuestion {
  readonly caller: Caller;
  readonly now: EpochSeconds;
  /** Not before now. */
  readonly at: EpochSeconds;
  readonly correlationId: string;
  /** Proposals and sets that count as carried out now, in this order. */
  readonly members: readonly AheadMember[];
}

/** A proposal by its id, a set by its id or key. */
export interface AheadMember {
  readonly kind: 'proposal' | 'set';
  readonly name: string;
}

/** A proposal or set that cannot be carried out. */
export class AheadRefused extends Error {
  override readonly name = 'AheadRefused';
  readonly rejection: Rejection;

  constructor(rejection: Rejection) {
    super(rejection.code);
    this.rejection = rejection;
  }
}

/** What will be appended, on a store that discards it. */
interface AheadSteps {
  carryOut(
    context: Pick<AheadQuestion, 'caller' | 'now' | 'correlationId'>,
    member: AheadMember,
  ): Promise<Rejection | null>;
  /** The instants of the scheduled sets, by id. */
  scheduledSets(): Promise<ReadonlyMap<number, EpochSeconds>>;
  apply(context: Pick<AheadQuestion, 'now' | 'correlationId'>, set: number): Promise<void>;
  publish(
    context: Pick<AheadQuestion, 'now' | 'correlationId'>,
    post: { readonly kind: PostKind; readonly id: number },
  ): Promise<void>;
  takeAppended(): Promise<readonly RecordedEvent[]>;
}

interface AheadOptions extends FoldedStore {
  readonly openSteps: () => AheadSteps;
  /** Distinguishes its calendars from those of others. */
  readonly name: string;
}

/** `name`: the same only for the same content. */
export interface AheadCalendar {
  readonly readModel: LogModel;
  readonly name: string;
  /** What will have happened to a resource last; undefined if nothing will from now on. */
  lastOf(key: DocumentKey): RecordedEvent | undefined;
  /** The ids of what will have changed. */
  touched(kind: DocumentKind): readonly number[];
}

export type AheadCalendars = ReturnType<typeof openAheadCalendars>;

/** Posts published between two looks at what is due next. */
const AT_ONCE = 200;
/** Documents made of them without letting others have their turn. */
const FOLDED_AT_ONCE = 8;
/** A page of the log, which is read to know what has been recorded since. */
const PAGE = { limit: 250, maxCharacters: 250_000 };
/** Then its memory is freed. */
const IDLE_MS = 10 * 60_000;

/** What is on top of the log, and for which questions. */
interface Overlay {
  readonly name: string;
  readonly head: Position;
  readonly of: string;
  /** Questions from the first instant to before the second show the same. */
  readonly from: EpochSeconds;
  readonly until: EpochSeconds;
}

/** A read model of the present calendar, over the log. Reads all of it; others get their turn in between. */
export async function openPresent(from: FoldedStore) {
  const storage = openLogStorage(await presentOf(from), await wholeHead(from.store));
  return { storage, readModel: await openLogModel(storage) };
}

type Present = Awaited<ReturnType<typeof openPresent>>;

export function openAheadCalendars(options: AheadOptions) {
  const { store, projections, openSteps, name: source } = options;
  let present: Present | null = null;
  let overlay: Overlay | null = null;
  let lastEvents = new Map<string, RecordedEvent>();
  let count = 0;
  const inTurn = openQueue();
  let idle: NodeJS.Timeout | undefined;

  async function takeOff({ storage }: Present): Promise<void> {
    overlay = null;
    await storage.takeOff();
    lastEvents = new Map();
  }

  /** Brings it to the end of the log. */
  async function catchUp({ storage }: Present): Promise<void> {
    const { checkpoint } = await storage.version();
    const upTo = await wholeHead(store);
    const prefixes = projections.map(({ prefix }) => prefix);
    const touched = new Map<string, DocumentKey>();
    for (let after = checkpoint; after < upTo; ) {
      const events = await store.readAll({ after, prefixes, ...PAGE });
      for (const { stream } of events) {
        const key = keyIn(projections, stream);
        if (key) touched.set(stream, key);
      }
      after = events.at(-1)?.position ?? upTo;
      await nextTurn();
    }
    await storage.moveOn(upTo, [...touched.values()]);
  }

  async function putOn(to: ReadModel, folding: readonly AnyProjection[], events: readonly RecordedEvent[]) {
    const log: StreamReader = {
      readStream: async (stream, options) => [
        ...(await store.readStream(stream, options)),
        ...events.filter((event) => event.stream === stream),
      ],
    };
    for (let at = 0; at < events.length; at += FOLDED_AT_ONCE) {
      const some = events.slice(at, at + FOLDED_AT_ONCE);
      const changes = await changesOf(some, folding, to, log);
      for (const event of some) lastEvents.set(event.stream, event);
      const here = await to.checkpoint();
      await to.apply({ after: here, upTo: here, changes });
      await nextTurn();
    }
  }

  /** Everything that becomes public by the instant, in order. */
  async function publishUntil(
    to: ReadModel,
    folding: readonly AnyProjection[],
    steps: AheadSteps,
    { now, at, correlationId }: AheadQuestion,
  ): Promise<EpochSeconds> {
    const tried = new Set<string>();
    let last = now;
    for (;;) {
      const listed = await to.scheduledUntil(at, tried.size + AT_ONCE);
      const due = listed.filter((post) => !tried.has(keyText(post)));
      if (due.length === 0) return last;
      for (const post of due) {
        tried.add(keyText(post));
        last = Math.max(last, post.date);
        await steps.publish({ now: Math.max(now, post.date), correlationId }, post);
      }
      await putOn(to, folding, await steps.takeAppended());
    }
  }

  const ofMembers = ({ members, caller }: AheadQuestion): string =>
    members.length === 0 ? '' : JSON.stringify([members, caller]);

  /** Scheduled posts and sets by the instant, in order. The latest instant at which something happens. */
  async function happenUntil(
    to: ReadModel,
    folding: readonly AnyProjection[],
    steps: AheadSteps,
    question: AheadQuestion,
  ): Promise<EpochSeconds> {
    const { now, at, correlationId } = question;
    const due = [...(await steps.scheduledSets())].filter(([, instant]) => instant <= at);
    let last = now;
    for (const [set, instant] of due.sort(([, one], [, other]) => one - other)) {
      last = Math.max(
        last,
        await publishUntil(to, folding, steps, { ...question, at: Math.max(now, instant) }),
        instant,
      );
      await steps.apply({ now: Math.max(now, instant), correlationId }, set);
      await putOn(to, folding, await steps.takeAppended());
    }
    return Math.max(last, await publishUntil(to, folding, steps, question));
  }

  async function overlayFor(of: Present, question: AheadQuestion): Promise<Overlay> {
    const { at, members } = question;
    const on = of.readModel;
    const memberNames = ofMembers(question);
    const head = await store.head();
    const current = overlay;
    if (current?.head === head && current.of === memberNames && at >= current.from && at < current.until)
      return current;
    await takeOff(of);
    await catchUp(of);
    const folding = withSkips(projections, (await readControl(store)).skips);
    const steps = openSteps();
    for (const member of members) {
      const rejection = await steps.carryOut(question, member);
      if (rejection) throw new AheadRefused(rejection);
    }
    await putOn(on, folding, await steps.takeAppended());
    const from = await happenUntil(on, folding, steps, question);
    const ahead = [...(await steps.scheduledSets()).values()].filter((instant) => instant > at);
    const post = await on.nextScheduled();
    const next = Math.min(post ?? Number.POSITIVE_INFINITY, ...ahead);
    count += 1;
    const until = Math.max(next, at + 1);
    overlay = { name: `${source} ${count}`, head, of: memberNames, from, until };
    return overlay;
  }

  function close(): void {
    [present, overlay, lastEvents] = [null, null, new Map()];
  }

  async function useNow<Result>(question: AheadQuestion, work: (calendar: AheadCalendar) => Promise<Result>) {
    clearTimeout(idle);
    present ??= await openPresent(options);
    const { readModel, storage } = present;
    try {
      const { name } = await overlayFor(present, question);
      return await work({
        readModel,
        name,
        lastOf: ({ kind, id }) => lastEvents.get(`${kind}-${id}`),
        touched: (kind) => storage.onTop().flatMap((key) => (key.kind === kind ? [key.id] : [])),
      });
    } catch (error) {
      // Half of an overlay may be on it.
      if (overlay === null) close();
      throw error;
    } finally {
      idle = setTimeout(() => void inTurn(async () => close()), IDLE_MS).unref();
    }
  }

  return {
    /**
     * Runs a task with the calendar that answers a question. Throws `AheadRefused` if one of its proposals cannot be
     * carried out. Rejections: those of the event store.
     */
    use: <Result>(question: AheadQuestion, work: (calendar: AheadCalendar) => Promise<Result>) =>
      inTurn(() => useNow(question, work)),
  };
}
