import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, type As, NOON, someEvent, startTestService, type TestService } from '../support/service.ts';

const test = suite<{ daybook: TestService }>('old states');

test.before.each(async (context) => {
  context.daybook = await startTestService({ environment: { DAYBOOK_TIMEZONE: 'Europe/Berlin' } });
});
test.after.each(({ daybook }) => daybook.close());

const codeOf = ({ status, body }: Answer): string => `${status} ${body?.code ?? ''}`;
const iso = (at: number): string => new Date(at * 1000).toISOString();

/** Lets a minute pass. */
const later = ({ clock }: TestService): void => {
  clock.at += 60;
};

async function put(daybook: TestService, target: string, body: object): Promise<void> {
  later(daybook);
  const { status, text } = await daybook.request('editor', 'PUT', target, body);
  assert.is(status, 200, text);
}

test('as_of answers as it was then, with venues, organizers, terms and their counts', async ({ daybook }) => {
  const parent = await daybook.created('editor', 'categories', { name: 'Arts' });
  const category = await daybook.created('editor', 'categories', { name: 'Music', parent: parent.id });
  const event = await daybook.created(
    'editor',
    'events',
    someEvent({ categories: [category.id], tags: 'free', venue: { venue: 'Hall' }, organizer: { organizer: 'Choir' } }),
  );
  const [venue, organizer, tag] = [event.venue.id, event.organizer[0].id, event.tags[0].id];
  const targets = [
    `/events/${event.id}`,
    `/venues/${venue}`,
    `/organizers/${organizer}`,
    `/categories/${category.id}`,
    `/tags/${tag}`,
  ];
  const seen: { readonly at: number; readonly answers: readonly Answer[] }[] = [];
  const look = async () => {
    seen.push({ at: daybook.clock.at, answers: await Promise.all(targets.map((target) => daybook.get(target))) });
  };
  await look();
  const steps: (() => Promise<unknown>)[] = [
    () => put(daybook, `/events/${event.id}`, { title: 'Other', cost: '5-7' }),
    () => put(daybook, `/venues/${venue}`, { venue: 'Town Hall', city: 'Bonn' }),
    () => put(daybook, `/categories/${parent.id}`, { slug: 'all-arts' }),
    () => put(daybook, `/categories/${category.id}`, { name: 'Songs' }),
    () => daybook.created('editor', 'events', someEvent({ categories: [category.id], tags: [tag] })),
    () => put(daybook, `/organizers/${organizer}`, { organizer: 'Band', status: 'draft' }),
    () => put(daybook, `/organizers/${organizer}`, { status: 'publish' }),
    () => put(daybook, `/events/${event.id}`, { start_date: '2026-12-22 08:00', timezone: 'Asia/Tokyo' }),
    () => put(daybook, `/events/${event.id}`, { venue: '', tags: '', featured: true }),
  ];
  for (const step of steps) {
    await step();
    await look();
    later(daybook);
  }
  for (const { at, answers } of seen) {
    for (const [index, target] of targets.entries()) {
      const then = answers[index];
      const isHidden = then?.status === 403;
      for (const moment of [iso(at), String(at), iso(at + 59)]) {
        const now = await daybook.get(`${target}?as_of=${moment}`);
        assert.is(now.status, isHidden ? 404 : 200, `${target} ${moment}`);
        if (!isHidden) assert.is(now.text, then?.text, `${target} ${moment}`);
      }
    }
  }
  assert.is(new Set(seen.map(({ answers }) => answers[3]?.body.count)).size, 2, 'a count has changed');
});

test('revision answers the state of that revision, also within one second', async ({ daybook }) => {
  const event = await daybook.created('editor', 'events', someEvent({ venue: { venue: 'Hall' } }));
  const seen = new Map<number, string>();
  const look = async () => {
    const { headers, text } = await daybook.get(`/events/${event.id}`, 'editor');
    seen.set(Number(/\d+/.exec(headers.etag ?? '')?.[0]), text);
  };
  await look();
  for (const title of ['One', 'Two', 'Three']) {
    await daybook.request('editor', 'PUT', `/events/${event.id}`, { title });
    await look();
    await daybook.request('editor', 'PUT', `/venues/${event.venue.id}`, { venue: `Hall ${title}` });
  }
  assert.equal([...seen.keys()], [1, 2, 3, 4]);
  for (const [revision, text] of seen) {
    const old = await daybook.get(`/events/${event.id}?revision=${revision}`, 'editor');
    assert.is(old.text, text, `revision ${revision}`);
    assert.ok(old.headers.etag?.startsWith(`"${revision}-`));
    const again = await daybook.get(`/events/${event.id}?revision=${revision}`, 'editor', {
      'if-none-match': old.headers.etag ?? '',
    });
    assert.is(again.status, 304);
  }
  const born = await daybook.get(`/events/${event.id}?revision=0`, 'editor');
  assert.equal([born.body.title, born.body.status], ['Open rehearsal', 'draft']);
});

test('a revision is for readers of the history', async ({ daybook }) => {
  const { id } = await daybook.created('author', 'events', someEvent({ venue: { venue: 'Hall' } }));
  const all: readonly As[] = ['anonymous', 'subscriber', 'contributor', 'otherAuthor', 'author', 'editor'];
  const statuses = await Promise.all(all.map(async (as) => (await daybook.get(`/events/${id}?revision=0`, as)).status));
  assert.equal(statuses, [401, 403, 403, 403, 200, 200]);
  const tag = await daybook.created('editor', 'tags', { name: 'one' });
  await daybook.request('editor', 'DELETE', `/tags/${tag.id}`);
  assert.is(codeOf(await daybook.get(`/tags/${tag.id}?revision=0`, 'author')), '403 rest_forbidden');
  const { body } = await daybook.get(`/tags/${tag.id}?revision=0`, 'editor');
  assert.equal([body.id, body.name, body.count], [tag.id, 'one', 0]);
  assert.is((await daybook.get(`/tags/${tag.id}?revision=1`, 'editor')).body.name, 'one');
  assert.is(codeOf(await daybook.get(`/tags/${tag.id}?as_of=${NOON}`)), '400 rest_invalid_param');
});

test('time travel shows nothing that was not public then', async ({ daybook }) => {
  const { id } = await daybook.created('author', 'events', someEvent({ status: 'draft', title: 'Secret plan' }));
  later(daybook);
  const beforePublishing = daybook.clock.at;
  await put(daybook, `/events/${id}`, { status: 'publish', title: 'Open plan' });
  const target = `/events/${id}?as_of=${iso(beforePublishing)}`;
  for (const as of ['anonymous', 'subscriber', 'otherAuthor', 'contributor'] as const)
    assert.is(codeOf(await daybook.get(target, as)), '404 rest_not_there_then', as);
  for (const as of ['author', 'editor'] as const)
    assert.is((await daybook.get(target, as)).body.title, 'Secret plan', as);
  const early = `/events/${id}?as_of=${iso(NOON - 1)}`;
  assert.equal((await daybook.get(early)).body.data, { status: 404, as_of: '2026-11-20T11:59:59Z' });
  const told = (await daybook.get(early, 'editor')).body;
  assert.match(
    told.message,
    '2026-11-20T11:59:59Z is before the first event, which was recorded at 2026-11-20T12:00:00',
  );
});

test('what has been closed since is not opened by travelling to when it was public', async ({ daybook }) => {
  const ways: { readonly [way: string]: readonly [object | null, string] } = {
    'made private': [{ status: 'private' }, '403 event-not-accessible'],
    'returned to draft': [{ status: 'draft' }, '403 event-not-accessible'],
    'put in the trash': [null, '403 event-no-longer-available'],
    'put under a password': [{ password: 'sesame' }, '403 rest_past_protected'],
  };
  for (const [way, [patch, code]] of Object.entries(ways)) {
    const { id } = await daybook.created('author', 'events', someEvent({ title: 'Was public' }));
    const then = daybook.clock.at;
    later(daybook);
    const done = patch
      ? await daybook.request('author', 'PUT', `/events/${id}`, patch)
      : await daybook.request('author', 'DELETE', `/events/${id}`);
    assert.is(done.status, 200);
    const target = `/events/${id}?as_of=${iso(then)}`;
    for (const as of ['anonymous', 'subscriber', 'otherAuthor'] as const) {
      const answer = await daybook.get(`${target}&password=sesame`, as);
      assert.is(codeOf(answer), code, `${way}, ${as}`);
      assert.not.match(answer.text, 'Was public');
    }
    for (const as of ['author', 'editor'] as const)
      assert.is((await daybook.get(target, as)).body.title, 'Was public', `${way}, ${as}`);
  }
});

test('a former password protects the former state, though it has none today', async ({ daybook }) => {
  const { id } = await daybook.created('author', 'events', someEvent({ description: 'behind it', password: 'sesame' }));
  const then = daybook.clock.at;
  await put(daybook, `/events/${id}`, { password: '' });
  const target = `/events/${id}?as_of=${iso(then)}`;
  assert.is(codeOf(await daybook.get(target)), '404 rest_not_there_then');
  assert.match((await daybook.get(target, 'author')).body.description, 'behind it');
});

test('venues and organizers that are closed today are in no old state of an event for the public', async ({
  daybook,
}) => {
  const event = await daybook.created(
    'author',
    'events',
    someEvent({ venue: { venue: 'Safe house' }, organizer: { organizer: 'Choir' } }),
  );
  const target = `/events/${event.id}?as_of=${iso(daybook.clock.at)}`;
  await put(daybook, `/venues/${event.venue.id}`, { status: 'private' });
  later(daybook);
  await daybook.request('editor', 'DELETE', `/organizers/${event.organizer[0].id}`);
  const open = await daybook.get(target);
  assert.equal([open.status, open.body.venue, open.body.organizer], [200, [], []]);
  assert.not.match(open.text, 'Safe house');
  const { body } = await daybook.get(target, 'editor');
  assert.equal([body.venue.venue, body.organizer[0].organizer], ['Safe house', 'Choir']);
  assert.is(codeOf(await daybook.get(`/venues/${event.venue.id}?as_of=${iso(NOON)}`)), '403 venue-not-accessible');
});

test('a state that cannot be answered is refused in words that name the conflict', async ({ daybook }) => {
  const { id } = await daybook.created('editor', 'events', someEvent());
  const refused = async (query: string, as: As = 'editor') => {
    const { status, body } = await daybook.get(`/events/${id}?${query}`, as);
    return `${status} ${body.code}: ${body.message}`;
  };
  assert.match(
    // Editors see ahead.
    await refused('as_of=2026-11-20T12:00:01Z', 'author'),
    '400 rest_invalid_param: Invalid parameter(s): as_of. 2026-11-20T12:00:01Z is in the future: it is 2026-11-20T12:00:00Z now.',
  );
  for (const unreadable of ['as_of=', 'as_of=soonish', 'as_of=2026-02-30', 'as_of=99999999999999'])
    assert.match(await refused(unreadable), 'as_of. It cannot be read as a date and time.', unreadable);
  assert.match(await refused('as_of[]=2026-01-01'), '400 rest_invalid_param');
  assert.is(
    await refused('revision=2'),
    '404 rest_revision_not_found: There is no revision 2: they run from 0 to 1. Ask for one of them.',
  );
  assert.match(await refused('revision=-1'), 'revision. Revisions are whole numbers from 0.');
  for (const odd of ['revision=x', 'revision=1.5', 'revision='])
    assert.match(await refused(odd), '400 rest_invalid_param', odd);
  assert.match(await refused('revision=1&as_of=2026-01-01'), 'It cannot be combined with revision.');
  const code = async (target: string, as: As = 'editor') => codeOf(await daybook.get(target, as));
  assert.is(await code('/events/999?revision=0'), '404 rest-event-not-found');
  assert.is(await code('/venues/999?revision=0'), '400 rest_invalid_param');
  assert.is(await code(`/venues/${id}?as_of=${NOON}`), '400 rest_invalid_param');
  assert.is(await code('/tags/999'), '400 rest_invalid_param');
  assert.is(await code('/venues/999'), '400 rest_invalid_param');
});

test('an instant may be in any zone, with or without the plus encoded; without one it is in the site’s', async ({
  daybook,
}) => {
  const { id } = await daybook.created('editor', 'events', someEvent());
  await put(daybook, `/events/${id}`, { title: 'Other' });
  const title = async (asOf: string) => (await daybook.get(`/events/${id}?as_of=${asOf}`)).body.title;
  for (const spelt of [
    '2026-11-20T12:00:59Z',
    '2026-11-20T13:00:59',
    '2026-11-20 13:00:59',
    '2026-11-20T14:00:59%2B02:00',
    '2026-11-20T14:00:59+02:00',
    '2026-11-20T14:00:59.5+0200',
    '2026-11-20T06:30:59-05:30',
    String(NOON + 59),
  ])
    assert.is(await title(spelt), 'Open rehearsal', spelt);
  assert.is(await title('2026-11-20T12:01:00Z'), 'Other');
  assert.is(await title('now'), 'Other');
});

test('an address by slug answers old states of what has the slug today', async ({ daybook }) => {
  const { id, venue } = await daybook.created('editor', 'events', someEvent({ venue: { venue: 'Hall' } }));
  const then = iso(daybook.clock.at);
  await put(daybook, `/events/${id}`, { title: 'Other', slug: 'other' });
  await put(daybook, `/venues/${venue.id}`, { venue: 'Barn' });
  for (const query of [`as_of=${then}`, 'revision=1']) {
    const [bySlug, byId] = await Promise.all([
      daybook.get(`/events/by-slug/other?${query}`, 'editor'),
      daybook.get(`/events/${id}?${query}`, 'editor'),
    ]);
    assert.is(bySlug.body.title, 'Open rehearsal');
    assert.equal(bySlug.body, byId.body);
  }
  assert.is((await daybook.get(`/venues/by-slug/hall?as_of=${then}`)).body.venue, 'Hall');
  assert.is((await daybook.get('/events/by-slug/other?as_of=garbage')).status, 400);
});

test.run();
