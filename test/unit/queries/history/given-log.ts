// A log that is nothing but what a test puts in, and what a history needs around it.
import { allProjections } from '../../../../projections/catalogue.ts';
import {
  type HistoryDependencies,
  type HistoryEntry,
  historyEntries,
  loadHistory,
} from '../../../../src/editorial/history/queries/history.ts';
import type { HistoryReader } from '../../../../src/editorial/history/queries/reference-names.ts';
import type { ResourceKind } from '../../../../src/editorial/history/queries/resource.ts';
import type { EventMetadata, Json, RecordedEvent } from '../../../../src/log/envelope.ts';
import type { EventStore } from '../../../../src/log/event-store.ts';
import type { RenderingSettings } from '../../../../src/rendering/post-fragment.ts';
import { NEW_YORK, NOW } from '../../../support/given.ts';

export const DISPLAY: RenderingSettings = {
  siteZone: NEW_YORK,
  signBefore: '$',
  signAfter: '',
  freeLabel: 'Free',
};

export interface GivenLog {
  /** Records a fact, `later` seconds after the beginning; positions count up. */
  add(stream: string, type: string, data: object, later?: number, metadata?: Partial<EventMetadata>): void;
  readonly dependencies: HistoryDependencies & { readonly store: Pick<EventStore, 'readStream' | 'readAll'> };
  /** Everything of one resource, newest first. */
  history(kind: ResourceKind, id: number, reader?: HistoryReader): Promise<HistoryEntry[]>;
  /** What was recorded last of it. */
  last(kind: ResourceKind, id: number, reader?: HistoryReader): Promise<HistoryEntry>;
}

export function givenLog(): GivenLog {
  const log: RecordedEvent[] = [];
  const store: GivenLog['dependencies']['store'] = {
    readStream: async (stream) => log.filter((event) => event.stream === stream),
    readAll: async ({ after, prefixes = [''], limit }) =>
      log
        .filter(({ position, stream }) => position > after && prefixes.some((prefix) => stream.startsWith(prefix)))
        .slice(0, limit),
  };
  const dependencies = { store, foldings: allProjections(DISPLAY), display: DISPLAY };
  const history: GivenLog['history'] = async (kind, id, reader = 'operator') => {
    const loaded = await loadHistory(dependencies, { kind, id });
    return loaded ? historyEntries(dependencies, loaded, { offset: 0, limit: 1_000 }, reader) : [];
  };
  return {
    dependencies,
    history,
    add(stream, type, data, later = 0, metadata = {}) {
      log.push({
        id: `id-${log.length}`,
        stream,
        revision: log.filter((event) => event.stream === stream).length,
        position: String(log.length).padStart(8, '0'),
        type,
        schemaVersion: 1,
        data: data as Json,
        metadata: {
          actor: { id: 2, name: 'ann' },
          instant: new Date((NOW + later) * 1000).toISOString(),
          correlationId: 'request-1',
          causationId: 'request-1',
          ...metadata,
        },
      });
    },
    async last(kind, id, reader) {
      const [entry] = await history(kind, id, reader);
      if (!entry) throw new Error(`nothing was recorded of ${kind} ${id}`);
      return entry;
    },
  };
}

/** A post as it is drafted; 2026-03-01 05:00:00 on the clock of the site. */
const drafted = (id: number) => ({ id, author: 3, slug: 'a-slug', date: NOW, dateFloats: false, passwordHash: null });

export const eventDrafted = (members: object = {}): object => ({
  ...drafted(12),
  title: 'Open rehearsal',
  description: '',
  excerpt: '',
  image: null,
  cost: null,
  website: null,
  showMap: false,
  showMapLink: false,
  hidden: false,
  sticky: false,
  featured: false,
  ticketed: false,
  categories: [],
  tags: [],
  venues: [],
  organizers: [],
  parent: null,
  schedule: schedule('2026-12-21 10:00:00', '2026-12-21 12:00:00'),
  ...members,
});

export const schedule = (start: string, end: string, timezone = 'UTC'): object => ({
  timezone,
  allDay: false,
  start,
  end,
  startsAt: Date.parse(`${start.replace(' ', 'T')}Z`) / 1000,
  endsAt: Date.parse(`${end.replace(' ', 'T')}Z`) / 1000,
});

export const venueDrafted = (members: object = {}): object => ({
  ...drafted(4),
  name: 'Town Hall',
  description: '',
  address: '',
  city: '',
  country: '',
  province: '',
  state: '',
  zip: '',
  stateprovince: '',
  phone: '',
  website: '',
  image: null,
  showMap: true,
  showMapLink: true,
  coordinates: null,
  ...members,
});

export const organizerDrafted = (members: object = {}): object => ({
  ...drafted(7),
  name: 'Choir',
  description: '',
  phone: '',
  website: '',
  email: '',
  image: null,
  ...members,
});

export const termCreated = (members: object = {}): object => ({
  id: 9,
  name: 'Music',
  slug: 'music',
  description: '',
  parent: 0,
  ...members,
});
