// The read model as readers use it: a storage that keeps, and the index of this process that answers lists. The index is
// filled from the rows of the storage with the first list, and follows what any process changes from then on. What an
// answer shows is of one state: a document of another revision than its row says is read again after following once more.
import { nextTurn, openTurns } from '../kernel/event-loop/turns.ts';
import { ReadModelDamaged } from './damage.ts';
import { openDocumentCache } from './document-cache.ts';
import {
  type Document,
  type DocumentKey,
  type DocumentKind,
  type DocumentOf,
  type EventDocument,
  namesOf,
  searchedText,
} from './documents.ts';
import { openFollowedChanges, type RecentChanges, versionOf, versionText } from './followed-changes.ts';
import { firstBy } from './list-index/event-lists.ts';
import {
  type Listed,
  type ListedEvent,
  type ListedEvents,
  type ListIndex,
  lastPublished,
  openListIndex,
  pageOfProven,
} from './list-index/list-index.ts';
import { isPacked, rowOfChange, unpackRow } from './list-index/rows.ts';
import {
  type EventExplained,
  type EventQuery,
  type ListState,
  MAX_NEWEST,
  type NewestQuery,
  type PageOf,
  type RecallListed,
  type TextSearch,
} from './queries.ts';
import { type Batch, type Guard, notReady, type ReadModel, ReadModelUnavailable, UNGUARDED } from './read-model.ts';
import { searchWord } from './search-text.ts';
import { openSearchedTexts, type SearchedText, type Unpacked } from './searched-texts.ts';
import type { NamedIds, NameQuery, ReadModelStorage, Stored, StoredRow, StoredVersion } from './storage.ts';

export interface IndexedModel extends ReadModel, RecentChanges {
  /** What it reads from. */
  readonly storage: ReadModelStorage;
  /** The index of now; texts can be searched. */
  index(): Promise<ListIndex>;
  /** The index if it shows this state, without waiting; null otherwise. */
  indexAt(at: StoredVersion): ListIndex | null;
  /** A document as it was kept last; at once. Others may have changed it since. */
  recall(key: DocumentKey): Document | null;
  /** Forgets the documents and texts that it has read: their memory is needed. */
  empty(): void;
  /** The read model of the projector: without the guard, and with documents as the next batch must be made from them. */
  readonly forProjector: ReadModel;
}

/** An index, and the state of the storage that it shows. */
interface Followed {
  readonly index: ListIndex;
  at: StoredVersion;
  /** Resolves when its texts can be searched. */
  readonly searchable: Promise<void>;
}

/** A page, and the state that it shows. */
interface ListedPage {
  readonly page: PageOf<Listed>;
  readonly at: StoredVersion;
}

/**
 * Documents may change while they are read. Two processes that write the same ones without a pause need some ten readings,
 * of a round trip each.
 */
const MAX_READINGS = 64;
/** With more changes than this, reading all rows takes no longer. */
const MAX_FOLLOWED = 20_000;
const ALL = { direction: 'ascending', offset: 0, limit: Number.POSITIVE_INFINITY } as const;
/** Rows that are entered at once. */
const ROWS_AT_ONCE = 20;
/** The rows of a batch that was applied here: as many as a projector applies at once, in some 2 ms. */
const ROWS_OF_BATCH = 100;
/** Events in the texts of which a phrase is looked for before all others. */
const NEWEST_AT_ONCE = 1_000;
/** Documents of which the texts are read at once. */
const TEXTS_AT_ONCE = 50;
/** Characters of texts that are packed in a millisecond. */
const PACKED_AT_ONCE = 2 ** 16;

const hasReached = ({ at }: Pick<Followed, 'at'>, version: StoredVersion): boolean =>
  at.life === version.life && at.batch >= version.batch;

const isSame = (one: StoredVersion, other: StoredVersion): boolean =>
  one === other || (one.life === other.life && one.batch === other.batch);

const changeOf = ({ key, row }: StoredRow) => ({
  key,
  row: isPacked(row) ? unpackRow(key, row) : row,
});

async function inTurns(steps: Iterable<undefined>): Promise<void> {
  const turn = openTurns();
  for (const _ of steps) await turn();
}

async function applyInTurns(index: ListIndex, rows: readonly StoredRow[]): Promise<void> {
  const turn = openTurns();
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    index.apply(rows.slice(from, from + ROWS_AT_ONCE).map(changeOf));
    await turn();
  }
}

/** Reads all rows. */
async function load(storage: ReadModelStorage, guard: Guard, begin: () => ListIndex): Promise<Followed> {
  for (;;) {
    const index = begin();
    const begun = await storage.version();
    let next: string | null = null;
    let life = begun.life;
    let events = 0;
    do {
      const portion = await storage.rows(next);
      events += portion.value.rows.filter(({ key }) => key.kind === 'event').length;
      guard.counted?.(events);
      index.apply(portion.value.rows.map(changeOf));
      next = portion.value.next;
      life = portion.at.life;
      if (next !== null) await nextTurn();
    } while (next !== null && life === begun.life);
    await inTurns(index.loaded());
    const since = await storage.changesSince(begun);
    if (since === null) continue;
    await applyInTurns(index, since.value);
    return { index, at: since.at, searchable: inTurns(index.indexWords()) };
  }
}

/** `begin`: an index that is loading, each time another one. */
export function openIndexedModel(
  storage: ReadModelStorage,
  guard: Guard = UNGUARDED,
  begin: () => ListIndex = openListIndex,
): IndexedModel {
  let followed: Followed | null = null;
  let underWay: Promise<Followed> | null = null;
  const changes = openFollowedChanges();
  let isSearchable = false;
  /** Documents of the state that is followed, where that can be compared at once; a storage that has to be waited for keeps its own. */
  const cachedDocuments = openDocumentCache();
  const texts = openSearchedTexts();
  let isAtHand = false;

  /** What was read of a life that the guard admits. One that has not been judged yet is judged, and then read again. */
  async function admitted<Value>(read: () => Promise<Stored<Value>>): Promise<Stored<Value>> {
    for (;;) {
      const stored = await read();
      const verdict = guard.admits(stored.at.life);
      if (verdict === true) return stored;
      if (verdict === false || !(await verdict)) throw notReady(storage.address);
    }
  }

  /** At once where nothing has to be waited for. */
  function version(): StoredVersion | Promise<StoredVersion> {
    const at = storage.version();
    isAtHand = !(at instanceof Promise);
    if (!(at instanceof Promise) && guard.admits(at.life) === true) return at;
    let first: typeof at | null = at;
    const next = async (): Promise<Stored<null>> => {
      const versionNow = first ?? storage.version();
      first = null;
      return { at: await versionNow, value: null };
    };
    return admitted(next).then((stored) => stored.at);
  }

  async function follow(): Promise<Followed> {
    const previous = followed;
    // Half followed it is not to be used.
    followed = null;
    const since = previous && !previous.index.isWorn() ? await storage.changesSince(previous.at) : null;
    if (previous === null || since === null || since.value.length > MAX_FOLLOWED) {
      const loaded = await load(storage, guard, begin);
      changes.begin(loaded.at);
      empty();
      void loaded.searchable.then(() => {
        isSearchable = true;
      });
      return loaded;
    }
    const keys = since.value.map(({ key }) => key);
    forget(keys);
    await applyInTurns(previous.index, since.value);
    changes.add(since.at, keys);
    previous.at = since.at;
    return previous;
  }

  /**
   * Follows a batch that was applied here without reading it back, if nothing else was written since the state that the index
   * shows.
   */
  function followApplied({ changes: applied }: Batch, at: StoredVersion): void {
    if (followed === null || underWay !== null || applied.length > ROWS_OF_BATCH) return;
    if (at.life !== followed.at.life || at.batch !== followed.at.batch + 1 || followed.index.isWorn()) return;
    const keys = applied.map(({ key }) => key);
    forget(keys);
    followed.index.apply(applied.map((change) => ({ key: change.key, row: rowOfChange(change) })));
    cachedDocuments.keep(
      keys,
      'show',
      applied.map(({ document }) => document),
    );
    changes.add(at, keys);
    followed.at = at;
  }

  async function applied(batch: Batch): Promise<'applied' | 'stale'> {
    const outcome = await storage.apply(batch);
    // Asking a storage that has to be waited for would take a round trip for each batch.
    if (outcome === 'applied' && batch.fill === undefined && isAtHand) followApplied(batch, await storage.version());
    return outcome;
  }

  function empty(): void {
    cachedDocuments.clear();
    texts.clear();
  }

  function forget(keys: readonly DocumentKey[]): void {
    cachedDocuments.forget(keys);
    texts.forget(keys.flatMap(({ kind, id }) => (kind === 'event' ? [id] : [])));
  }

  function followOnce(): Promise<Followed> {
    underWay ??= follow()
      .then((now) => {
        followed = now;
        return now;
      })
      .finally(() => {
        underWay = null;
      });
    return underWay;
  }

  /** The index, with all that was stored when this was called. */
  async function current(): Promise<Followed> {
    for (;;) {
      const answer = version();
      const target = answer instanceof Promise ? await answer : answer;
      if (followed !== null && hasReached(followed, target)) return followed;
      // One that is under way may have begun before.
      for (let now = await followOnce(); now.at.life === target.life; now = await followOnce())
        if (hasReached(now, target) && followed === now) return now;
    }
  }

  /** Follows until texts can be searched; the words of a query are searched in turns. */
  async function searchable(query: EventQuery | null): Promise<Followed> {
    for (let one = await current(); ; one = await current()) {
      const { index } = one;
      await one.searchable;
      if (query) await inTurns(index.searching(query));
      if (followed?.index === index) return followed;
    }
  }

  /** Documents of one state, which is not older than this call. */
  async function documents(
    keys: readonly DocumentKey[],
    purpose: 'list' | 'show',
  ): Promise<Stored<readonly (Document | null)[]>> {
    // Before the first list there is no index, and no document waits for one.
    const at = followed === null || !isAtHand ? null : (await current()).at;
    const recalled = at === null ? [] : cachedDocuments.recall(keys, purpose);
    const missing = keys.filter((_, index) => recalled[index] === undefined);
    if (at !== null && missing.length === 0) return { at, value: recalled.map((document) => document ?? null) };
    const stored = await fetchAndKeep(missing, purpose);
    if (missing.length === keys.length) return stored;
    // Something has been written since the others were kept: all are to be of one state.
    if (at === null || !isSame(at, stored.at)) return fetchAndKeep(keys, purpose);
    const others = stored.value.values();
    return { at, value: recalled.map((one) => (one === undefined ? (others.next().value ?? null) : one)) };
  }

  async function fetchAndKeep(keys: readonly DocumentKey[], purpose: 'list' | 'show') {
    const turn = openTurns();
    const stored = await admitted(() => storage.fetch(keys, purpose));
    if (isAtHand && followed !== null && isSame(followed.at, stored.at))
      cachedDocuments.keep(keys, purpose, stored.value);
    // One of megabytes has taken a turn, and what is made of it takes another.
    await turn();
    return stored;
  }

  /** Whether something was written between a row and its document. */
  function hasChanged(
    { kind, id }: DocumentKey,
    { revision }: Listed,
    document: Document | null | undefined,
    { at, of }: { readonly at: StoredVersion; readonly of: StoredVersion },
  ): boolean {
    if (document?.revision === revision) return false;
    if (isSame(at, of)) throw new ReadModelDamaged(`the document or the row of ${kind} ${id}`);
    return true;
  }

  /** Documents of a list; null: one has changed since the list was made. */
  async function read<Kind extends DocumentKind>(
    kind: Kind,
    listed: readonly Listed[],
    of: StoredVersion,
  ): Promise<DocumentOf<Kind>[] | null> {
    const keys = listed.map(({ id }) => ({ kind, id }));
    const { at, value } = await documents(keys, 'list');
    const isOutdated = listed.some((one, index) => hasChanged({ kind, id: one.id }, one, value[index], { at, of }));
    return isOutdated ? null : (value as DocumentOf<Kind>[]); // The key of a kind holds a document of that kind.
  }

  /** Reads again what has changed in between. */
  async function inAgreement<Answer>(work: () => Promise<Answer | null>): Promise<Answer> {
    for (let reading = 0; reading < MAX_READINGS; reading++) {
      const answer = await work();
      if (answer !== null) return answer;
    }
    throw new ReadModelUnavailable(`The read model ${storage.address} changes faster than it can be read.`);
  }

  /** The texts of these revisions, by id; of those that have changed there is none. A text may have 256 KiB: each may be a turn. */
  async function textsOf(events: readonly Listed[], of: StoredVersion): Promise<ReadonlyMap<number, string>> {
    const textById = new Map<number, string>();
    const unpacked: Unpacked = new Map();
    const turn = openTurns();
    for (const one of events) {
      const text = texts.recall(one, unpacked);
      if (text !== undefined) textById.set(one.id, text);
      await turn();
    }
    const missing = events.filter(({ id }) => !textById.has(id));
    if (missing.length === 0) return textById;
    // Thousands of them, which no answer shows: they are not kept.
    const { at, value } = await admitted(() => {
      return storage.fetch(
        missing.map(({ id }) => ({ kind: 'event', id })),
        'show',
      );
    });
    let batch: SearchedText[] = [];
    let characters = 0;
    // What changes later is forgotten when that is followed.
    const keep = () => {
      if (followed !== null && hasReached({ at }, followed.at)) texts.keep(batch);
      [batch, characters] = [[], 0];
    };
    for (const [index, one] of missing.entries()) {
      const document = value[index] ?? null;
      if (hasChanged({ kind: 'event', id: one.id }, one, document, { at, of })) continue;
      const text = searchedText(document as EventDocument); // As its key says.
      textById.set(one.id, text);
      batch.push({ ...one, text });
      characters += text.length;
      if (characters > PACKED_AT_ONCE) keep();
      await turn();
    }
    if (batch.length > 0) keep();
    return textById;
  }

  /** Those of which the texts have the phrases; null: one has changed. All are read nevertheless, so that few are left. */
  async function proven(
    events: readonly ListedEvent[],
    search: TextSearch,
    of: StoredVersion,
  ): Promise<ListedEvent[] | null> {
    const [words, excludedWords] = [search.words.map(searchWord), search.without.map(searchWord)];
    const matches: ListedEvent[] = [];
    const turn = openTurns();
    let isOutdated = false;
    for (let from = 0; from < events.length; from += TEXTS_AT_ONCE) {
      const some = events.slice(from, from + TEXTS_AT_ONCE);
      const textById = await textsOf(some, of);
      for (const one of some) {
        const text = textById.get(one.id);
        if (text === undefined) isOutdated = true;
        else if (words.every((word) => text.includes(word)) && !excludedWords.some((word) => text.includes(word)))
          matches.push(one);
        await turn();
      }
    }
    return isOutdated ? null : matches;
  }

  /** The page of an index with its phrases checked; null: something has changed in between. */
  async function settled(
    query: EventQuery,
    { unproven, ...page }: ListedEvents,
    of: StoredVersion,
  ): Promise<PageOf<ListedEvent> | null> {
    if (unproven === null) return page;
    const left = await proven(page.items, unproven, of);
    return left && pageOfProven(query, left);
  }

  const searched = (query: EventQuery) => (query.search ? searchable(query) : current());

  /** Null: something has changed in between. */
  async function find(query: EventQuery): Promise<ListedPage | null> {
    const { index, at } = await searched(query);
    const page = await settled(query, index.findEvents(query), at);
    return page && { page, at };
  }

  /** What is known of each event of a page; of none if the index has gone on from its state. */
  function recalled<Known>({ page, at }: ListedPage, recall: RecallListed<Known>): (Known | undefined)[] {
    if (followed === null || !isSame(followed.at, at)) return [];
    const state: ListState = {
      version: versionText(at),
      terms: followed.index.terms(),
      haveChanged: (documents, since) => changes.haveChanged(documents, versionOf(since)),
    };
    return page.items.map((listed) => recall(listed, state));
  }

  /** Phrases are looked for in those that were published last first: others are read only if these are too few. */
  async function newest(query: NewestQuery): Promise<readonly Listed[] | null> {
    const { index, at } = await (query.of ? searched(query.of) : current());
    const { items, unproven } = index.newestEvents(query);
    if (unproven === null) return items;
    await nextTurn();
    const most = Math.min(query.limit, MAX_NEWEST);
    const first = await proven(firstBy(lastPublished, items, NEWEST_AT_ONCE), unproven, at);
    const isEnough = first !== null && (first.length >= most || items.length <= NEWEST_AT_ONCE);
    const all = isEnough ? first : await proven(items, unproven, at);
    return all && firstBy(lastPublished, all, most);
  }

  /** What one state does with an event; null: something has changed in between. */
  async function explained(
    query: EventQuery,
    id: number,
    conditions: readonly EventQuery[],
  ): Promise<EventExplained | null> {
    const { index, at } = await searched(query);
    const all = { ...query, page: ALL };
    const listed = index.placeOf(query, id) ?? index.findEvents(all);
    const matching = conditions.map((condition) => index.findEvents(condition));
    // From here on the index may follow what is written: only documents are read.
    const met: boolean[] = [];
    for (const [place, condition] of conditions.entries()) {
      const page = matching[place] && (await settled(condition, matching[place], at));
      if (!page) return null;
      met.push(page.total > 0);
    }
    if ('place' in listed) return { ...listed, met };
    const page = await settled(all, listed, at);
    if (page === null) return null;
    const position = page.items.findIndex((event) => event.id === id);
    return { place: position < 0 ? null : position + 1, total: page.total, met };
  }

  const fetched = async (keys: readonly DocumentKey[]): Promise<(Document | null)[]> => [
    ...(await documents(keys, 'show')).value,
  ];

  const names = async (query: NameQuery): Promise<NamedIds> => (await admitted(() => storage.names(query))).value;

  async function findBySlug<Kind extends DocumentKind>(kind: Kind, slug: string): Promise<DocumentOf<Kind> | null> {
    const name = kind === 'user' ? slug.toLowerCase() : slug;
    const one = await inAgreement(async () => {
      const { ids } = await names({ kind, name, ...ALL, limit: 1 });
      const [id] = ids;
      if (id === undefined) return { document: null };
      const [document = null] = await fetched([{ kind, id }]);
      return document !== null && namesOf(document).includes(name) ? { document } : null;
    });
    return one.document as DocumentOf<Kind> | null; // Documents are looked up by their kind.
  }

  const model: ReadModel = {
    checkpoint: async () => (await version()).checkpoint,
    progress: () => storage.progress(),
    version() {
      const at = version();
      return at instanceof Promise ? at.then(versionText) : versionText(at);
    },
    apply: applied,
    fetch: fetched,
    findBySlug,
    listEvents: (query, recall) =>
      inAgreement(async () => {
        const listed = await find(query);
        if (listed === null) return null;
        const { items, total } = listed.page;
        const known = recall ? recalled(listed, recall) : [];
        const others = items.filter((_, index) => known[index] === undefined);
        const documents = others.length === 0 ? [] : await read('event', others, listed.at);
        if (documents === null) return null;
        const rest = documents.values();
        return { items: items.flatMap((_, index) => known[index] ?? rest.next().value ?? []), total };
      }),
    async findEvents(query) {
      const { page } = await inAgreement(() => find(query));
      return { items: page.items.map(({ id }) => id), total: page.total };
    },
    countFacets: async (query, facets) => (await searched(query)).index.countFacets(query, facets),
    explainEvent: (query, id, conditions) => inAgreement(() => explained(query, id, conditions)),
    listLinkedPosts: (query) =>
      inAgreement(async () => {
        const { index, at } = await current();
        const { items, total } = index.findLinkedPosts(query);
        const documents = await read(query.kind, items, at);
        return documents && { items: documents, total };
      }),
    listTerms: async (query) => (await current()).index.listTerms(query),
    terms: async () => (await current()).index.terms(),
    named: async (kind, name) => (await names({ kind, name, ...ALL })).ids,
    countNamed: async (kind, name) => (await names({ kind, name, ...ALL, limit: 0 })).total,
    namedPage: async (kind, name, part) => (await names({ kind, name, direction: 'descending', ...part })).ids,
    isSearchable: () => isSearchable,
    nextEdge: async (now) => (await current()).index.nextEdge(now),
    newestEvents: async (query) => (await inAgreement(() => newest(query))).map(({ id }) => id),
    nextScheduled: async () => (await current()).index.nextScheduled(),
    scheduledUntil: async (instant, limit) => (await current()).index.scheduledUntil(instant, limit),
    clear: () => storage.clear('empty'),
    distrust: () => storage.clear('distrust'),
    close: () => storage.close(),
  };
  return {
    ...model,
    storage,
    index: async () => (await searchable(null)).index,
    indexAt: (at) => (followed !== null && isSame(followed.at, at) ? followed.index : null),
    recall: (key) => cachedDocuments.recall([key], 'show')[0] ?? null,
    empty,
    async haveChanged(documents, since) {
      await current();
      return changes.haveChanged(documents, versionOf(since));
    },
    forProjector: {
      ...model,
      checkpoint: async () => (await storage.progress()).checkpoint,
      named: async (kind, name) => (await storage.names({ kind, name, ...ALL })).value.ids,
      fetch: async (keys) => [...(await storage.fetch(keys, 'fold')).value],
    },
  };
}
