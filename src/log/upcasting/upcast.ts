// Upcasts stored events on read. The log is never rewritten.
// decision 5
import type { Json, Position, RecordedEvent } from '../envelope.ts';
import type { StageMaker } from '../pipeline.ts';

/** Converts the data of one version to the next. Pure; throws if the data is not of its version. */
type Upcaster = (data: Json) => Json;

/** Per event type, the step from each version to the next; without gaps from version 1. */
export type Upcasters = Readonly<Record<string, Readonly<Record<number, Upcaster>>>>;

/** An event was written by a newer version of this software: reading stops instead of guessing. */
export class UnknownSchemaVersion extends Error {
  override readonly name = 'UnknownSchemaVersion';
  readonly position: Position;

  constructor(message: string, position: Position) {
    super(message);
    this.position = position;
  }
}

/** The version in which writers store this type: one more than there are steps, 1 for a type that never changed. */
export function newestVersion(upcasters: Upcasters, type: string): number {
  return Object.hasOwn(upcasters, type) ? Object.keys(upcasters[type] ?? {}).length + 1 : 1;
}

/**
 * Every event is read in its newest version; what is written passes unchanged. An event that
 * cannot be upcast, of an unknown version (`UnknownSchemaVersion`) or unlike its version, ends the read of its stream,
 * because decisions depend on it. Reads of the log return it, because most readers do not need it; accessing its `data`
 * throws the reason. So a reader stops exactly there, or skips it. Throws at once if a type's steps have a gap.
 */
export function todaysShape(upcasters: Upcasters): StageMaker {
  assertGapless(upcasters);

  function lift(event: RecordedEvent): RecordedEvent {
    const newest = newestVersion(upcasters, event.type);
    if (event.schemaVersion === newest) return event;
    if (event.schemaVersion > newest || event.schemaVersion < 1) throw unknownVersion(event, newest);
    let { data } = event;
    for (let version = event.schemaVersion; version < newest; version += 1) {
      data = stepOf(upcasters, event.type, version)(data);
    }
    return { ...event, data, schemaVersion: newest };
  }

  function liftIfPossible(event: RecordedEvent): RecordedEvent {
    try {
      return lift(event);
    } catch (error) {
      return withoutData(event, error);
    }
  }

  /** Nearly all are in it. */
  const isOfToday = ({ type, schemaVersion }: RecordedEvent): boolean =>
    schemaVersion === newestVersion(upcasters, type);

  return () => ({
    ofStream: (events) => (events.every(isOfToday) ? events : events.map(lift)),
    ofLog: (events) => (events.every(isOfToday) ? events : events.map(liftIfPossible)),
  });
}

const withoutData = (event: RecordedEvent, why: unknown): RecordedEvent => ({
  ...event,
  get data(): Json {
    throw why;
  },
});

function stepOf(upcasters: Upcasters, type: string, version: number): Upcaster {
  const step = upcasters[type]?.[version];
  if (step === undefined) throw new Error(`There is no upcaster for ${type} from version ${version}.`);
  return step;
}

function assertGapless(upcasters: Upcasters): void {
  for (const type of Object.keys(upcasters)) {
    for (let version = 1; version < newestVersion(upcasters, type); version += 1) stepOf(upcasters, type, version);
  }
}

function unknownVersion({ type, schemaVersion, stream, revision, position }: RecordedEvent, newest: number): Error {
  return new UnknownSchemaVersion(
    `${type} in version ${schemaVersion} (${stream} revision ${revision}, position ${position}): ` +
      `this Daybook knows ${type} up to version ${newest}. Run the version that wrote it, or a newer one.`,
    position,
  );
}

// Every change of the form of stored events. Each step has a fixture of the old JSON in test/fixtures/events. Steps
// never change: they describe what old data meant, not what the domain does today.

export const upcasters: Upcasters = {
  EventRescheduled: { 1: asItWas },
  VenueRelocated: { 1: withStateProvince },
};

/** The version in which events of this type are stored today. */
export function currentSchemaVersion(type: string): number {
  return newestVersion(upcasters, type);
}

/** Version 2 may have the notice that the public was given. Before it there was none. */
function asItWas(data: Json): Json {
  return data;
}

/** Version 2 records which of the two regions counts: the state within the United States, the province elsewhere. */
function withStateProvince(data: Json): Json {
  const address = objectOf(data);
  const isInUnitedStates = ['', 'US', 'United States'].includes(textOf(address.country));
  return { ...address, stateprovince: textOf(isInUnitedStates ? address.state : address.province) };
}

function objectOf(data: Json): { readonly [key: string]: Json } {
  if (isObject(data)) return data;
  throw new TypeError('The data of this event is not an object.');
}

// `Array.isArray` does not narrow readonly arrays, hence a guard of our own.
function isObject(data: Json): data is { readonly [key: string]: Json } {
  return typeof data === 'object' && data !== null && !Array.isArray(data);
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
