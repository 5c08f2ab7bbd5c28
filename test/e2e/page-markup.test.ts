// The markup of pages, judged by a validator.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formOf, signedIn, visitorOf } from '../support/desk.ts';
import { markupProblems } from '../support/markup.ts';
import { formWith, photo } from '../support/pictures.ts';
import { someEvent, startTestService, type TestService } from '../support/service.ts';

const test = suite('markup of pages');
let daybook: TestService;

/** Webhooks and sources may lead there, and arrive nowhere. */
const NOTHING_LISTENS = { DAYBOOK_PRIVATE_HOSTS: '127.0.0.1:2' };

test.before(async () => {
  daybook = await startTestService({
    environment: {
      DAYBOOK_PER_PAGE: '2',
      DAYBOOK_SITE_NAME: 'Lantern & Bay',
      DAYBOOK_SUBMISSIONS: 'on',
      ...NOTHING_LISTENS,
    },
  });
  const made = (collection: string, body: object) => daybook.created('editor', collection, body);
  const music = await made('categories', { name: 'Music & <b>more</b>', description: '<p>All of <em>it</em></p>' });
  const tag = await made('tags', { name: 'Winter' });
  const venue = { venue: 'Harbour "Hall"', city: 'Leeds', geo_lat: 53.8, geo_lng: -1.5, status: 'publish', phone: '1' };
  const links = { categories: [music.id], tags: [tag.id] };
  for (const number of [1, 2, 3]) await made('events', someEvent({ title: `Concert ${number}`, ...links }));
  const event = await made(
    'events',
    someEvent({
      ...{
        title: 'A "quoted" <i>title</i> & more',
        ...links,
        venue,
        cost: '5 – 10',
        featured: true,
        website: 'https://a.example/?a=1&b=2',
      },
      description:
        '<p>Text<ul><li>loose<li>items</ul><table><tr><td>cell</table><h1>Heading</h1><p><div>block</div></p>',
      organizer: { organizer: 'The Guild', email: 'guild@a.example', status: 'publish' },
    }),
  );
  await daybook.request('editor', 'PATCH', `/events/${event.id}`, {
    ...{
      start_date: '2026-12-24 10:00',
      end_date: '2026-12-25 10:00',
      event_status: 'postponed',
      notice: 'Later & "better"',
    },
  });
});
test.after(() => daybook.close());

const TARGETS: readonly (readonly [target: string, status: number])[] = [
  ['//', 200],
  ['//?page=2&search=concert&tags=winter', 200],
  ['//?when=today', 200],
  ['//submit', 200],
  ['//submit/sent', 200],
  ['//?near=Leeds&geoloc_radius=50', 200],
  ['//?near=Nowhere', 400],
  ['//events/month/2026-12/', 200],
  ['//events/day/2026-12-24/', 200],
  ['//event/a-quoted-title-more/', 200],
  ['//venue/harbour-hall/', 200],
  ['//organizer/the-guild/', 200],
  ['//tag/winter/', 200],
  ['//events/category/music-more/', 200],
  ['//event/nothing/', 404],
];
for (const [target, status] of TARGETS)
  test(`${target} is valid`, async () => {
    const answer = await daybook.get(target);
    assert.is(answer.status, status);
    assert.equal(await markupProblems(answer.text), []);
  });

test('pages of the desk are valid', async () => {
  const visitor = await signedIn(daybook, 'editor');
  const [listed] = (await daybook.get('/events?search=quoted')).body.events;
  const form = await formWith(await photo(), { alt: 'A "bridge" <b>' });
  const { body: picture } = await daybook.request('editor', 'POST', '/media', form.body, form.headers);
  await daybook.request('editor', 'PATCH', `/events/${listed.id}`, { image: String(picture.id) });
  const file = 'name,start,<b>\nFair & "more",2027-05-01 10:00,x\nNothing,never,x';
  const { body: imported } = await daybook.request('editor', 'POST', '/imports', {
    file,
    name: '"<a>.csv',
    dry_run: true,
  });
  const weekly = await daybook.created('editor', 'events', {
    ...{ title: 'Choir', start_date: '2026-12-08 19:00', end_date: '2026-12-08 21:00' },
    recurrence: { rrule: 'FREQ=WEEKLY' },
  });
  const { _csrf = '' } = formOf(await visitor.get('/desk'));
  const pages = [
    await daybook.get(`/${new URL(listed.url).pathname}`),
    await visitorOf(daybook).get('/desk/sign-in'),
    await visitor.post('/desk/events', {
      title: '',
      venue_add: 'Nowhere',
      _csrf,
    }),
    await visitor.post('/desk/events', { title: 'Given <back>', _csrf: 'x' }),
    await visitor.get(`/desk/events/${weekly.id}`),
    await visitor.post(`/desk/events/${weekly.id}`, { title: 'Choir', scope: 'all', _csrf }),
    await visitor.post(`/desk/events/${weekly.id}/bin`, { scope: 'all', _csrf }),
  ];
  const ids: { readonly [path: string]: number } = {
    venues: listed.venue.id,
    organizers: listed.organizer[0].id,
    categories: listed.categories[0].id,
    tags: listed.tags[0].id,
  };
  const { body: proposal } = await daybook.request('contributor', 'POST', `/events/${listed.id}/proposals`, {
    title: 'A <better> & "other" title',
    note: 'Why <not> & so',
  });
  const set = await daybook.request('editor', 'POST', '/sets', { name: 'A "set" <b>', proposals: [proposal.id] });
  const history = `/events/${listed.id}/history`;
  const paths = [
    '',
    ...[history, `${history}/compare?from=0&to=1`, `${history}/at?revision=1`, `${history}/compare`],
    ...['/review', `/review/${proposal.id}`, '/sets', `/sets/${set.body.id}`, `/sets/${set.body.id}/ahead`],
    ...['/audit', `/audit?kind=event`, '/next'],
    '/events',
    '/events?state=trash',
    '/events/new',
    `/events/${listed.id}`,
    '/account',
    '/events/999999',
    ...['/pictures', '/pictures?search=bridge', '/pictures?search=nothing'],
    `/pictures/${picture.id}`,
    '/import',
    `/import/${imported.id}`,
    ...['venues', 'organizers', 'categories', 'tags'].flatMap((path) => [
      ...[`/${path}`, `/${path}?search=a`, `/${path}/new`, `/${path}/duplicates`],
      ...[`/${path}/${ids[path]}`, `/${path}/${ids[path]}/merge`],
    ]),
  ];
  for (const path of paths) pages.push(await visitor.get(`/desk${path}`));
  const administrator = await signedIn(daybook, 'administrator');
  const administer = async (target: string, body: object): Promise<number> =>
    (await daybook.request('administrator', 'POST', target, body)).body.id;
  const webhook = await administer('/webhooks', { url: 'http://127.0.0.1:2/in', name: 'Shop <b> & "co"' });
  const source = await administer('/sources', { address: 'http://127.0.0.1:2/x.ics', name: 'Hall <b> & "co"' });
  for (const path of [
    ...['', '/users', `/users/${daybook.userId('editor')}`, '/rules', '/settings'],
    ...['/webhooks', `/webhooks/${webhook}`, '/sources', `/sources/${source}`],
  ])
    pages.push(await administrator.get(`/desk${path}`));
  for (const { text } of pages) assert.equal(await markupProblems(text), []);
});

test('a piece of a page is valid as well', async () => {
  const { text } = await daybook.get('//embed/events?per_page=1');
  assert.equal(await markupProblems(text), []);
});

test.run();
