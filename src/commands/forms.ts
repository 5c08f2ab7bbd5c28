// Where forms have led, in the log: a form that arrives at two processes is carried out by one of them, and the other gives
// the same answer. A stream for each form, beside those of idempotency keys.
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fact } from '../domain/decider.ts';
import type { EpochSeconds } from '../kernel/time/zone.ts';
import type { RecordedEvent, Revision } from '../log/envelope.ts';
import { type AppendOutcome, type EventStore, lastEvent, type StreamAppend } from '../log/event-store.ts';
import { appendRepeatedly, eventOf, isOutage } from '../log/writing.ts';
import type { User } from '../people/auth/caller.ts';
import { metadataOf } from './context.ts';

/** A path of the desk; null: the form was shown again, or its answer is no page to lead to. */
type Led = string | null;

type FormFact = Fact<'FormTaken', Record<never, never>> | Fact<'FormLed', { readonly to: Led }>;

export interface TakenForm {
  /** Its key, what it says, and where it was sent. */
  readonly name: string;
  readonly user: User;
  readonly now: EpochSeconds;
  /** Of the request. */
  readonly id: string;
}

/** `mine`: this process carries it out, and tells where that has led. */
export type Taken =
  | { readonly kind: 'mine'; readonly tell: (to: Led) => Promise<void> }
  | { readonly kind: 'led'; readonly to: string };

export interface FormDependencies {
  readonly store: Pick<EventStore, 'append' | 'readStream'>;
  readonly newEventId: () => string;
  /** Milliseconds of a monotonic clock; only differences matter. */
  readonly elapsed: () => number;
}

/** A form that is sent again later, from the page before, is meant again. */
const REMEMBERED_SECONDS = 3;
/** As long as a process may take; one that has died does not hold its form for longer. */
const PATIENCE_MS = 10_000;
const PAUSE_MS = 40;

/** Waits while another process carries the same form out. */
export async function takeForm(dependencies: FormDependencies, form: TakenForm): Promise<Taken> {
  try {
    return await taking(dependencies, form);
  } catch (error) {
    // The form meets the outage itself, in the page.
    if (isOutage(error)) return { kind: 'mine', tell: async () => {} };
    throw error;
  }
}

async function taking(dependencies: FormDependencies, form: TakenForm): Promise<Taken> {
  const { store, elapsed } = dependencies;
  const stream = streamOf(form);
  const began = elapsed();
  for (;;) {
    const last = await lastEvent(store, stream);
    const to = last && ledIn(last, form.now);
    if (to) return { kind: 'led', to };
    if (last && isUnderWay(last, form.now) && elapsed() - began < PATIENCE_MS) {
      await sleep(PAUSE_MS);
      continue;
    }
    const fact: FormFact = { type: 'FormTaken', data: {} };
    const taken = await append(dependencies, form, last?.revision ?? 'no_stream', fact);
    if (taken.kind === 'conflict') continue;
    const at = taken.written[0]?.revision ?? 0;
    return { kind: 'mine', tell: (where) => tell(dependencies, form, at, where) };
  }
}

/** What is not told is carried out again by the one that waits: keys and conditions of its writes hold. */
async function tell(dependencies: FormDependencies, form: TakenForm, at: Revision, to: Led): Promise<void> {
  try {
    await append(dependencies, form, at, { type: 'FormLed', data: { to } });
  } catch (error) {
    if (!isOutage(error)) throw error;
  }
}

function append(
  { store, newEventId }: FormDependencies,
  form: TakenForm,
  expected: StreamAppend['expected'],
  fact: FormFact,
): Promise<AppendOutcome> {
  const metadata = metadataOf({ caller: form.user, now: form.now, correlationId: form.id });
  const events = [eventOf(fact, { metadata, newEventId })];
  return appendRepeatedly(() => store.append([{ stream: streamOf(form), expected, events }]));
}

const streamOf = ({ user, name }: TakenForm): string =>
  `request-${createHash('sha256').update(`form\n${user.id}\n${name}`).digest('hex')}`;

const ageOf = ({ metadata }: RecordedEvent, now: EpochSeconds): number => now - Date.parse(metadata.instant) / 1000;

function ledIn(event: RecordedEvent, now: EpochSeconds): Led {
  if (event.type !== 'FormLed' || ageOf(event, now) > REMEMBERED_SECONDS) return null;
  return (event.data as FormFact['data'] & { readonly to: Led }).to; // As written above.
}

const isUnderWay = (event: RecordedEvent, now: EpochSeconds): boolean =>
  event.type === 'FormTaken' && ageOf(event, now) * 1000 <= PATIENCE_MS;
