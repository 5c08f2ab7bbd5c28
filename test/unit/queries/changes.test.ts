import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ChangeEntry } from '../../../src/editorial/audit/queries/changes.ts';
import { isCursor } from '../../../src/editorial/audit/queries/log-reads.ts';
import { selectionOf } from '../../../src/editorial/audit/queries/selection.ts';
import type { HistoryReader } from '../../../src/editorial/history/queries/reference-names.ts';
import { EventStoreUnavailable } from '../../../src/log/event-store.ts';
import type { Role } from '../../../src/people/auth/caller.ts';
import { withUpcasting } from '../../support/pipelines.ts';
import { type ChangesLog, EDITOR, fillSome, openChangesLog, reader, readOn, select } from './changes-log.ts';
import { eventDrafted, organizerDrafted, termCreated, venueDrafted } from './history/given-log.ts';

const test = suite<{ log: ChangesLog }>('the feed of changes');

test.before.each(async (context) => {
  context.log = openChangesLog();
  await fillSome(context.log);
});
test.after.each(({ log }) => log.store.close());

const brief = (told: readonly ChangeEntry[]): string[] =>
  told.map(({ kind, id, revision, type }) => `${kind} ${id} r${revision} ${type}`);

const ALL = [
  'venue 4 r0 VenueDrafted',
  'tag 9 r0 TagCreated',
  'event 1 r0 EventDrafted',
  'event 2 r0 EventDrafted',
  'event 1 r1 EventRetitled',
  'event 2 r1 EventPasswordSet',
  'tag 9 r1 TagRenamed',
  'event 1 r2 EventMoved',
];

test('it yields every change of the calendar in the order of the log, and none of users and registers', async ({
  log,
}) => {
  const told = await readOn(log.changes, EDITOR);
  assert.equal(brief(told), ALL);
  assert.equal(
    told.map(({ position }) => position),
    (await log.all()).filter(({ stream }) => /^(venue|tag|event)-/.test(stream)).map(({ position }) => position),
  );
  assert.equal(told[4], {
    position: told[4]?.position,
    kind: 'event',
    id: 1,
    revision: 1,
    instant: '2026-03-01T10:00:00.000Z',
    date: '2026-03-01 05:00:00',
    actor: { id: 2, name: 'ann' },
    reason: 'a slip',
    type: 'EventRetitled',
    summary: 'Renamed from “Open rehearsal” to “Concert”.',
    correlation_id: 'request-1',
  });
  assert.is(told[7]?.summary, 'Moved to Town Hall.');
  assert.not.match(JSON.stringify(told), 'scrypt');
});

test('following the changes from any position gives exactly what comes after it', async ({ log }) => {
  const told = await readOn(log.changes, EDITOR);
  for (const { position } of await log.all()) {
    const expected = told.filter((change) => change.position > position);
    assert.equal(await readOn(log.changes, EDITOR, { after: position, limit: 2 }), expected, position);
  }
});

test('what is recorded while the log is read is passed once, and the end of the log is not read', async () => {
  let reads = 0;
  let meanwhile = async (): Promise<void> => {};
  const log = openChangesLog((store) => ({
    ...store,
    async readAll(options) {
      reads += 1;
      await meanwhile();
      return store.readAll(options);
    },
  }));
  await fillSome(log);
  const page = (after: string) => log.changes.page({ after, selection: select('tag'), reader: EDITOR, limit: 10 });
  const head = await log.store.head();
  reads = 0;
  assert.equal(await page(head), { changes: [], next: head, hasMore: false });
  assert.is(reads, 0);
  let later = '';
  meanwhile = async () => {
    meanwhile = async () => {};
    later = await log.add('tag-9', 'TagRenamed', { name: 'Later', slug: 'later' });
  };
  const first = await page('');
  assert.equal(
    [first.changes.at(-1)?.position, first.next, first.hasMore],
    [later, later, false],
    'not the end of before: this change would be passed again',
  );
  assert.equal((await page(first.next)).changes, []);
  await log.store.close();
});

test('next is where everything has been looked at, shown or not', async ({ log }) => {
  const head = await log.store.head();
  const page = (after: string, limit: number) =>
    log.changes.page({ after, selection: select('tag'), reader: EDITOR, limit });
  const first = await page('', 1);
  assert.equal([brief(first.changes), first.hasMore], [['tag 9 r0 TagCreated'], true]);
  assert.is(first.next, first.changes[0]?.position);
  const second = await page(first.next, 2);
  assert.equal([brief(second.changes), second.next, second.hasMore], [['tag 9 r1 TagRenamed'], head, false]);
  assert.equal(await page(head, 2), { changes: [], next: head, hasMore: false });
});

test('a position beyond the end is kept: another node may know more', async ({ log }) => {
  const beyond = '9999999999999999';
  const page = await log.changes.page({ after: beyond, selection: select(), reader: EDITOR, limit: 9 });
  assert.equal(page, { changes: [], next: beyond, hasMore: false });
});

test('positions are recognised by the format of the log', () => {
  const [sqlite, eventStoreDb] = ['0000000000000012', '00000000000001a2-00000000000001a2'];
  assert.equal(
    ['', sqlite, eventStoreDb, '12', 'a', '0000000000000012 ', '000000000000001a'].map((text) =>
      isCursor(text, sqlite),
    ),
    [true, true, false, false, false, false, false],
  );
  assert.equal(
    ['', sqlite, eventStoreDb].map((text) => isCursor(text, eventStoreDb)),
    [true, false, true],
  );
  assert.ok(isCursor(sqlite, ''));
});

test('types are kinds, sorts of facts, or both', async ({ log }) => {
  const told = async (...words: string[]) => brief(await readOn(log.changes, EDITOR, { selection: select(...words) }));
  assert.equal(
    await told('event'),
    ALL.filter((line) => line.startsWith('event')),
  );
  assert.equal(await told('EventRetitled', 'TagCreated'), ['tag 9 r0 TagCreated', 'event 1 r1 EventRetitled']);
  assert.equal(await told('tag', 'TagRenamed', 'EventMoved'), [
    'tag 9 r0 TagCreated',
    'tag 9 r1 TagRenamed',
    'event 1 r2 EventMoved',
  ]);
  assert.equal(await told('organizer'), []);
  for (const unknown of ['events', 'Event', 'user', 'UserAdded', 'toString', 'eventretitled'])
    assert.equal(selectionOf(['event', unknown]), { unknown });
});

test('hidden facts are skipped in portions, each of which names the next position', async ({ log }) => {
  for (let count = 0; count < 2_300; count += 1) void log.add('event-2', 'EventFeatured');
  await log.add('event-1', 'EventFeatured');
  const question = { selection: select(), reader: reader('author', 3), limit: 50 };
  const start = (await log.all())[11]?.position ?? '';
  const pages = [await log.changes.page({ ...question, after: start })];
  for (let last = pages[0]; last?.hasMore; last = pages.at(-1))
    pages.push(await log.changes.page({ ...question, after: last.next }));
  assert.equal(
    pages.map(({ changes, hasMore }) => [changes.length, hasMore]),
    [
      [0, true],
      [0, true],
      [1, false],
    ],
  );
});

test('rights are those of the histories: all for editors, their own for authors, terms for those who manage them', async () => {
  const log = openChangesLog();
  const drafts = { event: eventDrafted, venue: venueDrafted, organizer: organizerDrafted };
  for (const [kind, drafted] of Object.entries(drafts)) {
    const noun = kind.replace(/^./, (letter) => letter.toUpperCase());
    for (const id of [3, 4]) {
      await log.add(`${kind}-${id}`, `${noun}Drafted`, drafted({ id, author: id }));
      await log.add(`${kind}-${id}`, `${noun}Trashed`, { slug: 'x__trashed', date: 1 });
    }
  }
  await log.add('category-8', 'CategoryCreated', termCreated({ id: 8 }));
  await log.add('category-8', 'CategoryDeleted');
  await log.add('tag-9', 'TagCreated', termCreated());
  const shown = async (who: HistoryReader) =>
    [...new Set((await readOn(log.changes, who)).map(({ kind, id }) => `${kind} ${id}`))].join();
  const posts = 'event 3,event 4,venue 3,venue 4,organizer 3,organizer 4';
  const expected: { readonly [R in Role]: string } = {
    administrator: `${posts},category 8,tag 9`,
    editor: `${posts},category 8,tag 9`,
    author: 'event 3,venue 3,organizer 3,category 8',
    contributor: 'event 3,venue 3,organizer 3',
    subscriber: '',
  };
  for (const [role, told] of Object.entries(expected)) assert.is(await shown(reader(role as Role, 3)), told, role);
  assert.is(await shown({ caller: null }), '');
  assert.is(await shown('operator'), `${posts},category 8,tag 9`);
  await log.store.close();
});

test('a resource given to another author appears in the changes of that author, with its earlier ones', async ({
  log,
}) => {
  const [former, present] = [reader('author', 3), reader('author', 4)];
  const eventsOf = async (who: HistoryReader) => brief(await readOn(log.changes, who, { selection: select('event') }));
  assert.equal(await eventsOf(former), [
    'event 1 r0 EventDrafted',
    'event 1 r1 EventRetitled',
    'event 1 r2 EventMoved',
  ]);
  await log.add('event-1', 'EventReassigned', { author: 4 });
  assert.equal(await eventsOf(former), []);
  assert.equal(
    (await eventsOf(present)).filter((line) => line.startsWith('event 1')),
    ['event 1 r0 EventDrafted', 'event 1 r1 EventRetitled', 'event 1 r2 EventMoved', 'event 1 r3 EventReassigned'],
  );
  await log.add('event-1', 'EventReassigned', { author: 3 });
  assert.is((await eventsOf(former)).length, 5);
  assert.is((await eventsOf(present)).length, 2);
});

test('a change written during a read is shown by the rights of that moment', async () => {
  let frozen: string | null = null;
  const log = openChangesLog((store) => ({ ...store, head: async () => frozen ?? store.head() }));
  await fillSome(log);
  const author = reader('author', 3);
  await readOn(log.changes, author);
  await readOn(log.changes, EDITOR);
  frozen = await log.store.head();
  await log.add('event-1', 'EventReassigned', { author: 4 });
  const reassigned = { selection: select('EventReassigned') };
  assert.equal(await readOn(log.changes, author, reassigned), []);
  const [told] = await readOn(log.changes, EDITOR, reassigned);
  assert.is(told?.summary, 'Given to the author 4.');
  await log.store.close();
});

test('names that a reader may not know are ids, as in the history', async ({ log }) => {
  await log.add('venue-5', 'VenueDrafted', venueDrafted({ id: 5, author: 4, name: 'Secret Hall' }));
  await log.add('event-1', 'EventMoved', { venues: [{ id: 5, life: 0 }] });
  const last = async (who: HistoryReader) => (await readOn(log.changes, who)).at(-1)?.summary;
  assert.is(await last(EDITOR), 'Moved to Secret Hall.');
  assert.is(await last(reader('author', 3)), 'Moved to #5.');
});

test('a change that this version cannot read is described in general words, to editors only', async () => {
  const log = openChangesLog((store) =>
    withUpcasting(store, {
      EventRetitled: {
        1: () => {
          throw new Error('odd');
        },
      },
    }),
  );
  await fillSome(log);
  const told = await readOn(log.changes, EDITOR);
  assert.equal(brief(told), ALL);
  assert.is(told[2]?.summary, 'Changed in a way that this version does not know (EventDrafted).');
  assert.equal(brief(await readOn(log.changes, reader('author', 3), { selection: select('event') })), []);
  await log.store.close();
});

test('an unavailable log does not end the feed', async () => {
  let isAway = false;
  const log = openChangesLog((store) => ({
    ...store,
    readStream: (...given) => (isAway ? Promise.reject(new EventStoreUnavailable('away')) : store.readStream(...given)),
  }));
  await fillSome(log);
  isAway = true;
  await readOn(log.changes, EDITOR).then(
    () => assert.unreachable(),
    (error: unknown) => assert.instance(error, EventStoreUnavailable),
  );
  isAway = false;
  assert.equal(brief(await readOn(log.changes, EDITOR)), ALL);
  await log.store.close();
});

/** Numbers from 0 to below 1, the same for the same seed. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

test('however readers page through the log during writes, they get each of their changes once and in order', async () => {
  for (let seed = 1; seed <= 6; seed += 1) {
    const random = numbers(seed);
    const log = openChangesLog();
    const pick = (count: number) => Math.floor(random() * count);
    for (let id = 1; id <= 6; id += 1)
      await log.add(`event-${id}`, 'EventDrafted', eventDrafted({ id, author: 3 + (id % 2) }));
    await log.add('tag-9', 'TagCreated', termCreated());
    let isWriting = true;
    const write = async (count: number) => {
      for (let written = 0; written < count; written += 1) {
        if (pick(3) === 0) await new Promise((resolve) => setImmediate(resolve));
        const what = pick(8);
        if (what < 2) await log.add('ids-post', 'IdsReserved');
        else if (what === 2) await log.add('tag-9', 'TagRenamed', { name: `Name ${written}` });
        else await log.add(`event-${1 + pick(6)}`, 'EventRetitled', { title: `Title ${written}` });
      }
    };
    const writing = Promise.all([write(60), write(60), write(60)]).then(() => {
      isWriting = false;
    });
    const follow = async (who: HistoryReader) => {
      const told: ChangeEntry[] = [];
      for (let after = '', isDone = false; !isDone; ) {
        const wasWriting = isWriting;
        const page = await log.changes.page({ after, selection: select(), reader: who, limit: 1 + pick(7) });
        told.push(...page.changes);
        after = page.next;
        isDone = !wasWriting && !page.hasMore;
        if (!page.hasMore) await new Promise((resolve) => setImmediate(resolve));
      }
      return told.map(({ position }) => position);
    };
    const readers = [EDITOR, EDITOR, reader('author', 3), reader('contributor', 4)];
    const heard = await Promise.all(readers.map(follow));
    await writing;
    const facts = await log.all();
    const expected = (isTheirs: (stream: string) => boolean) =>
      facts.filter(({ stream }) => isTheirs(stream)).map(({ position }) => position);
    const everything = expected((stream) => !stream.startsWith('ids-'));
    assert.equal(heard[0], everything, `seed ${seed}`);
    assert.equal(heard[1], everything);
    assert.equal(
      heard[2],
      expected((stream) => /^event-[246]$/.test(stream)),
    );
    assert.equal(
      heard[3],
      expected((stream) => /^event-[135]$/.test(stream)),
    );
    await log.store.close();
  }
});

test.run();
