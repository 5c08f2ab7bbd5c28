// From every status to every other one, as each role may and as the date decides, for all kinds of posts.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NOON, someEvent, startTestService, type TestService } from '../support/service.ts';

let daybook: TestService;
const test = suite('transitions of status');

test.before(async () => {
  daybook = await startTestService();
});
test.after(() => daybook.close());

const COLLECTIONS = ['events', 'venues', 'organizers'] as const;
type Collection = (typeof COLLECTIONS)[number];

const DAY = 86_400;
/** As clients write an instant; the site stands at UTC. */
const utc = (at: number): string => new Date(at * 1000).toISOString().slice(0, 19).replace('T', ' ');

/** The date that is sent along; `kept`: none. */
const DATES = { kept: undefined, ahead: utc(NOON + 30 * DAY), passed: utc(NOON - 30 * DAY) } as const;
type Sent = keyof typeof DATES;

/** What comes of a wish whose date is ahead, and of one whose date has passed or is now. */
const BECOMES: { readonly [wish: string]: readonly [ahead: string, passed: string] } = {
  publish: ['future', 'publish'],
  future: ['future', 'publish'],
  draft: ['draft', 'draft'],
  pending: ['pending', 'pending'],
  private: ['private', 'private'],
  trash: ['trash', 'trash'],
};

/** What a contributor's wish is taken for, unless it says what stands already. */
const SCALED: { readonly [wish: string]: string } = { publish: 'pending', future: 'pending', private: 'pending' };

/** Where a post stands, and whether its own contributor may change it. Its date has passed but where it is scheduled. */
const STANDS: { readonly [from: string]: { readonly contributor: 'may' | 'may not' } } = {
  publish: { contributor: 'may not' },
  future: { contributor: 'may not' },
  draft: { contributor: 'may' },
  pending: { contributor: 'may' },
  private: { contributor: 'may' },
  'draft in trash': { contributor: 'may' },
  'publish in trash': { contributor: 'may not' },
  'future in trash': { contributor: 'may not' },
};

const ROLES = ['contributor', 'author', 'editor'] as const;
type Writer = (typeof ROLES)[number];

let made = 0;

/** A post of this writer, as the editor makes it. */
async function standing(collection: Collection, writer: Writer, from: string) {
  made += 1;
  const [status = '', inTrash] = from.split(' in ');
  const date = status === 'future' ? { date: utc(NOON + 10 * DAY) } : {};
  const members = { author: daybook.userId(writer), status, ...date };
  const name = `Post ${made}`;
  const body =
    collection === 'events' ? someEvent({ title: name, ...members }) : { [collection.slice(0, -1)]: name, ...members };
  const created = await daybook.created('editor', collection, body);
  if (!inTrash) return created;
  return (await daybook.request('editor', 'DELETE', `/${collection}/${created.id}`)).body;
}

/** Whether a date that is planned stays: who publishes what is scheduled does not wait for it. */
const keepsPlan = (from: string, wish: string): boolean =>
  from.startsWith('future') && !(from === 'future' && wish === 'publish');

function expected(writer: Writer, from: string, wish: string, sent: Sent): string | number {
  if (writer === 'contributor' && STANDS[from]?.contributor === 'may not') return 403;
  const wanted = writer === 'contributor' && wish !== from ? (SCALED[wish] ?? wish) : wish;
  const isAhead = sent === 'ahead' || (sent === 'kept' && keepsPlan(from, wish));
  return BECOMES[wanted]?.[isAhead ? 0 : 1] ?? 'no such wish';
}

async function move(collection: Collection, writer: Writer, from: string, wish: string, sent: Sent): Promise<void> {
  const before = await standing(collection, writer, from);
  const date = DATES[sent];
  const body = { status: wish, ...(date === undefined ? {} : { date }) };
  const answer = await daybook.request(writer, 'PATCH', `/${collection}/${before.id}`, body);
  const what = `${writer}: ${collection} from ${from} to ${wish}, date ${sent}`;
  const found = answer.status === 200 ? answer.body.status : answer.status;
  assert.is(found, expected(writer, from, wish, sent), what);
  if (answer.status !== 200) return;
  if (date !== undefined && found !== 'trash')
    assert.equal([answer.body.date, answer.body.date_utc], [date, date], `${what}: the date`);
  if (sent === 'kept' && from.startsWith('future') && found !== 'trash')
    assert.is(
      answer.body.date_utc,
      keepsPlan(from, wish) ? before.date_utc : utc(NOON),
      `${what}: the date stays, or is now`,
    );
  const seen = await daybook.get(`/${collection}/${before.id}`);
  assert.is(seen.status === 200, found === 'publish', `${what}: only what is published is public`);
}

/** Organizers have the commands of venues: those who may least meet all of it there. */
const writersOf = (collection: Collection): readonly Writer[] =>
  collection === 'organizers' ? ['contributor'] : ROLES;

for (const collection of COLLECTIONS)
  for (const writer of writersOf(collection))
    test(`${collection}: ${writer}s get each status that they wish for, as far as they may`, async () => {
      for (const from of Object.keys(STANDS))
        for (const wish of Object.keys(BECOMES))
          for (const sent of Object.keys(DATES) as Sent[]) await move(collection, writer, from, wish, sent);
    });

test('a new post gets its status by the same rules', async () => {
  for (const writer of ROLES)
    for (const wish of Object.keys(BECOMES))
      for (const sent of Object.keys(DATES) as Sent[]) {
        made += 1;
        const date = DATES[sent];
        const members = { title: `New ${made}`, status: wish, ...(date === undefined ? {} : { date }) };
        const { status } = await daybook.created(writer, 'events', someEvent(members));
        assert.is(status, expected(writer, 'draft', wish, sent), `${writer}: a new ${wish}, date ${sent}`);
      }
});

test('without a status a post keeps its own; a date alone publishes and unpublishes', async () => {
  const DATED = { publish: ['future', 'publish'], future: ['future', 'publish'] } as const;
  for (const collection of COLLECTIONS)
    for (const from of Object.keys(STANDS))
      for (const sent of Object.keys(DATES) as Sent[]) {
        const { id } = await standing(collection, 'author', from);
        const date = DATES[sent];
        const body = date === undefined ? { website: 'https://example.org/' } : { date };
        const answer = await daybook.request('author', 'PATCH', `/${collection}/${id}`, body);
        const what = `${collection} in ${from}, date ${sent}`;
        const stays = from.endsWith('in trash') ? 'trash' : from;
        const moved = DATED[stays as keyof typeof DATED]?.[sent === 'ahead' ? 0 : 1];
        assert.is(
          answer.body.status,
          sent === 'kept' ? stays : (moved ?? stays),
          `${what}: ${answer.text.slice(0, 90)}`,
        );
      }
});

test('sending a post back as it was read changes nothing for every role', async () => {
  for (const collection of COLLECTIONS)
    for (const from of ['private', 'pending', 'draft']) {
      const before = await standing(collection, 'contributor', from);
      const { status, body, headers } = await daybook.request('contributor', 'PUT', `/${collection}/${before.id}`, {
        status: before.status,
        [collection === 'events' ? 'title' : collection.slice(0, -1)]:
          before[collection === 'events' ? 'title' : collection.slice(0, -1)],
      });
      assert.equal([status, body.status], [200, from], `${collection}: ${from}`);
      assert.is(headers.etag, (await daybook.get(`/${collection}/${before.id}`, 'contributor')).headers.etag);
      const { modified } = before;
      assert.is(body.modified, modified);
    }
});

test('a scheduled post that is published goes public now, and a date that is sent along decides', async () => {
  for (const collection of COLLECTIONS) {
    const publish = async (body: object) => {
      const { id } = await standing(collection, 'author', 'future');
      return (await daybook.request('author', 'PATCH', `/${collection}/${id}`, { status: 'publish', ...body })).body;
    };
    const now = await publish({});
    assert.equal([now.status, now.date_utc], ['publish', utc(NOON)]);
    const later = utc(NOON + 20 * DAY);
    const planned = await publish({ date_utc: later });
    assert.equal([planned.status, planned.date_utc], ['future', later]);
  }
});

test('modified is when something was changed, whatever date it is published under', async () => {
  for (const collection of COLLECTIONS)
    for (const date of [NOON + 40 * DAY, NOON - 40 * DAY]) {
      made += 1;
      const name = { [collection === 'events' ? 'title' : collection.slice(0, -1)]: `Dated ${made}` };
      const body = { ...(collection === 'events' ? someEvent() : {}), ...name, date: utc(date) };
      const created = await daybook.created('editor', collection, body);
      assert.equal([created.date_utc, created.modified_utc], [utc(date), utc(NOON)], collection);
      daybook.clock.at = NOON + 60;
      const changed = await daybook.request('editor', 'PATCH', `/${collection}/${created.id}`, { description: 'more' });
      daybook.clock.at = NOON;
      assert.equal([changed.body.date_utc, changed.body.modified_utc], [utc(date), utc(NOON + 60)], collection);
    }
});

test('any other status, and any other case, is refused', async () => {
  const { id } = await standing('events', 'editor', 'draft');
  for (const status of ['Publish', 'auto-draft', 'inherit', 'any', '', 'publish,draft', ['publish']]) {
    const answer = await daybook.request('editor', 'PATCH', `/events/${id}`, { status });
    assert.is(answer.status, 400, JSON.stringify(status));
  }
});

test('terms count published events only, and posts have those events that the reader may read and that are no drafts', async () => {
  const { id: venue } = await daybook.created('editor', 'venues', { venue: 'Counted hall' });
  const { id: category } = await daybook.created('editor', 'categories', { name: 'Counted' });
  const members = { title: 'Counted', venue, categories: [category], status: 'draft' };
  const { id } = await daybook.created('editor', 'events', someEvent(members));
  const counts = { publish: 1, future: 0, draft: 0, pending: 0, private: 0, trash: 0 };
  const having = [
    ['anonymous', ['publish']],
    ['editor', ['publish', 'future', 'private']],
  ] as const;
  for (const [status, count] of [...Object.entries(counts), ...Object.entries(counts).reverse()]) {
    const date = status === 'future' ? DATES.ahead : DATES.passed;
    const { body } = await daybook.request('editor', 'PATCH', `/events/${id}`, { status, date });
    assert.is(body.status, status);
    assert.is((await daybook.get(`/categories/${category}`)).body.count, count, `count while ${status}`);
    for (const [as, statuses] of having) {
      const { body: found } = await daybook.get('/venues?has_events=true&per_page=50&status=publish', as);
      const ids: number[] = found.venues?.map((one: { id: number }) => one.id) ?? [];
      assert.is(
        ids.includes(venue),
        statuses.some((one) => one === status),
        `${as}: has_events while ${status}`,
      );
    }
  }
});

test.run();
