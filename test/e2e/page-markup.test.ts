// The markup of pages, judged by a validator.
import { FileSystemConfigLoader, HtmlValidate } from 'html-validate';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formOf, signedIn, visitorOf } from '../support/desk.ts';
import { formWith, photo } from '../support/pictures.ts';
import { someEvent, startTestService, type TestService } from '../support/service.ts';

const test = suite('markup of pages');
let daybook: TestService;

/** What HTML demands; how it is written is of no concern: attributes without quotes or values, entities, long titles. */
const validator = new HtmlValidate(
  new FileSystemConfigLoader({
    root: true,
    extends: ['html-validate:standard'],
    rules: { 'long-title': 'off', 'no-raw-characters': 'off', 'no-inline-style': 'error' },
  }),
);

test.before(async () => {
  daybook = await startTestService({
    environment: { DAYBOOK_PER_PAGE: '2', DAYBOOK_SITE_NAME: 'Lantern & Bay', DAYBOOK_SUBMISSIONS: 'on' },
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
    const { text } = answer;
    assert.is(answer.status, status);
    const { results } = await validator.validateString(text);
    const problems = results.flatMap(({ messages }) =>
      messages.map(({ ruleId, message, line, column }) => `${ruleId}: ${message} (${line}:${column})`),
    );
    assert.equal(problems, []);
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
  for (const path of ['', '/users', `/users/${daybook.userId('editor')}`, '/rules', '/settings'])
    pages.push(await administrator.get(`/desk${path}`));
  for (const { text } of pages) {
    const { results } = await validator.validateString(text);
    assert.equal(
      results.flatMap(({ messages }) =>
        messages.map(
          ({ ruleId, message, line, column }) =>
            `${ruleId}: ${message} (${text.split('\n')[line - 1]?.slice(Math.max(0, column - 60), column + 60)})`,
        ),
      ),
      [],
    );
  }
});

test('a piece of a page is valid as well', async () => {
  const { text } = await daybook.get('//embed/events?per_page=1');
  const { results } = await validator.validateString(text);
  assert.equal(
    results.flatMap(({ messages }) => messages.map(({ ruleId, message }) => `${ruleId}: ${message}`)),
    [],
  );
});

test.run();
