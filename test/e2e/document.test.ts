// Real answers of every operation, over a calendar with all sorts of resources, held against the document.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { NewEvent } from '../../src/log/envelope.ts';
import { openDocumentedCalendar, RECEIVER } from '../support/documented-calendar.ts';
import { endOf } from '../support/ends.ts';
import { formWith, png } from '../support/pictures.ts';
import { type As, type Body, PREFIX, someEvent } from '../support/service.ts';

const test = suite('answers and their document');
const { daybook, made, venue, secretVenue, organizer, parentCategory, category, tag, events } =
  await openDocumentedCalendar();
const document: Body = (await daybook.get('/doc')).body;

/** Asks, and says which status it must be; the service itself checks the answer against the document. */
async function expect(status: number, as: As, method: string, target: string, body?: unknown, headers = {}) {
  const answer = await daybook.request(as, method, target, body, headers);
  assert.is(answer.status, status, `${as} ${method} ${target}: ${answer.text.slice(0, 300)}`);
  return answer;
}

const WRITES = ['POST', 'PUT', 'PATCH'] as const;
test('reads of all kinds of events are as documented, for every caller who may read them', async () => {
  for (const { id, slug } of Object.values(events).filter(({ id: one }) => one !== events.trashed.id)) {
    for (const as of ['editor', 'anonymous'] as const) {
      await daybook.get(`/events/${id}`, as);
      await daybook.get(`/events/by-slug/${slug}`, as);
      await daybook.get(`/events/${id}?password=sesame&context=edit`, as);
    }
    await expect(200, 'editor', 'GET', `/events/${id}?revision=0`).catch(() =>
      expect(403, 'editor', 'GET', `/events/${id}`),
    );
  }
  await expect(403, 'anonymous', 'GET', `/events/${events.trashed.id}`);
  await expect(403, 'anonymous', 'GET', `/events/by-slug/${events.locked.slug}`);
});

test('why an event is in a list is as documented', async () => {
  for (const { id } of Object.values(events))
    for (const as of ['editor', 'anonymous'] as const)
      await daybook.get(`/events/${id}/why?search=x&venue=${venue.id}`, as);
  const { id } = await daybook.created('editor', 'events', someEvent());
  const { headers } = await expect(200, 'anonymous', 'GET', `/events/${id}/why`);
  await expect(304, 'anonymous', 'GET', `/events/${id}/why`, undefined, { 'if-none-match': headers.etag });
  await expect(404, 'anonymous', 'GET', `/events/${id}/why?as_of=2001-01-01`);
  await expect(400, 'anonymous', 'GET', `/events/${id}/why?role=editor`);
});

test('comparisons are as documented', async () => {
  const { id } = await daybook.created('editor', 'events', someEvent());
  const before = new Date(daybook.clock.at * 1000).toISOString();
  daybook.clock.at += 60;
  await expect(200, 'editor', 'PUT', `/events/${id}`, { title: 'Compared', venue: venue.id });
  const target = `/events/${id}/compare?from=0`;
  const { headers } = await expect(200, 'editor', 'GET', target);
  await expect(304, 'editor', 'GET', target, undefined, { 'if-none-match': headers.etag });
  await expect(401, 'anonymous', 'GET', target);
  await expect(403, 'subscriber', 'GET', target);
  await expect(404, 'editor', 'GET', `/events/${id}/compare?from=99`);
  const { body: proposal } = await expect(201, 'editor', 'POST', `/events/${id}/proposals`, { title: 'Proposed' });
  await expect(200, 'editor', 'GET', `/events/${id}/compare?from=0&to=proposal:${proposal.id}`);
  await expect(200, 'editor', 'POST', `/proposals/${proposal.id}/withdraw`, {});
  await expect(409, 'editor', 'GET', `/events/${id}/compare?from=0&to=proposal:${proposal.id}`);
  await expect(400, 'editor', 'GET', `/events/${venue.id}/compare?from=0`);
  for (const as of ['editor', 'anonymous'] as const) {
    const list = await expect(200, as, 'GET', `/events/compare?from=${before}`);
    await expect(304, as, 'GET', `/events/compare?from=${before}`, undefined, { 'if-none-match': list.headers.etag });
    await expect(404, as, 'GET', `/events/compare?from=${before}&page=99`);
    await expect(400, as, 'GET', '/events/compare');
  }
});

test('comparisons of other kinds are as documented', async () => {
  for (const collection of ['venues', 'organizers', 'categories', 'tags']) {
    const { id } = await made(collection, { venue: 'Pier', organizer: 'Pier', name: 'Pier' });
    const target = `/${collection}/${id}/compare?from=0`;
    const { headers } = await expect(200, 'editor', 'GET', target);
    await expect(304, 'editor', 'GET', target, undefined, { 'if-none-match': headers.etag });
    await expect(401, 'anonymous', 'GET', target);
    await expect(403, 'contributor', 'GET', target);
    await expect(404, 'editor', 'GET', `/${collection}/${id}/compare?from=99`);
    const wish = { description: 'By the sea' };
    const { body: proposal } = await expect(201, 'editor', 'POST', `/${collection}/${id}/proposals`, wish);
    await expect(200, 'editor', 'GET', `${target}&to=proposal:${proposal.id}`);
    await expect(200, 'editor', 'POST', `/proposals/${proposal.id}/withdraw`);
    await expect(409, 'editor', 'GET', `${target}&to=proposal:${proposal.id}`);
  }
});

test('lists are as documented: masked, unlocked, empty, of the past, and page by page', async () => {
  for (const as of ['anonymous', 'contributor', 'editor'] as const) {
    await expect(200, as, 'GET', '/events?start_date=2020-01-01');
    await expect(200, as, 'GET', '/events?per_page=2&page=2&password=sesame');
    await expect(200, as, 'GET', '/events?search=nothing-has-this');
    for (const list of ['venues', 'organizers']) await expect(200, as, 'GET', `/${list}?per_page=1&page=1`);
    for (const list of ['categories', 'tags']) await expect(200, as, 'GET', `/${list}?hide_empty=0&per_page=1&page=2`);
    await expect(200, as, 'GET', '/categories?context=embed&hide_empty=0');
  }
  for (const list of ['events', 'venues', 'organizers', 'categories', 'tags']) {
    const now = new Date(daybook.clock.at * 1000).toISOString();
    const { headers } = await expect(200, 'anonymous', 'GET', `/${list}`);
    await expect(304, 'anonymous', 'GET', `/${list}`, undefined, { 'if-none-match': headers.etag });
    await expect(200, 'anonymous', 'GET', `/${list}?as_of=${now}`);
    await expect(404, 'anonymous', 'GET', `/${list}?as_of=2001-01-01`);
    await expect(400, 'anonymous', 'GET', `/${list}?page=0`);
  }
  for (const list of ['events', 'venues', 'organizers']) await expect(404, 'anonymous', 'GET', `/${list}?page=99`);
});

test('creations are as documented, and so is why they are refused', async () => {
  const bodies = {
    events: someEvent({ title: 'New', venue: { venue: 'New hall' } }),
    venues: { venue: 'Another' },
    organizers: { organizer: 'Another' },
    categories: { name: 'Another' },
    tags: { name: 'Another' },
  };
  for (const [collection, body] of Object.entries(bodies)) {
    await expect(201, 'editor', 'POST', `/${collection}`, body);
    await expect(400, 'editor', 'POST', `/${collection}`, {});
    await expect(400, 'editor', 'POST', `/${collection}`, { ...body, slug: 1, status: 'odd', title: 1, name: 1 });
    await expect(401, 'anonymous', 'POST', `/${collection}`, body);
    await expect(403, 'subscriber', 'POST', `/${collection}`, body);
    await expect(412, 'editor', 'POST', `/${collection}`, body, { 'if-match': '"x"' });
  }
  await expect(400, 'editor', 'POST', '/events', someEvent({ venue: { venue: '' } }));
  await expect(400, 'editor', 'POST', '/categories', { name: 'Another' });
  await expect(400, 'editor', 'POST', '/tags', { name: 'Below', parent: tag.id });
  await expect(400, 'editor', 'POST', '/events', '{', { 'content-type': 'application/json' });
  await expect(400, 'editor', 'POST', '/events', 'x', { 'content-type': 'multipart/form-data' });
});

test('single terms, venues and organizers are as documented in all they answer', async () => {
  for (const [collection, post] of Object.entries({ venues: venue, organizers: organizer })) {
    for (const place of [`/${collection}/${post.id}`, `/${collection}/by-slug/${post.slug}`]) {
      const { headers } = await expect(200, 'anonymous', 'GET', place);
      await expect(304, 'anonymous', 'GET', place, undefined, { 'if-none-match': headers.etag });
      await expect(200, 'editor', 'GET', `${place}?revision=0`);
      await expect(404, 'editor', 'GET', `${place}?revision=99`);
      await expect(401, 'anonymous', 'GET', `${place}?revision=0`);
      await expect(403, 'subscriber', 'GET', `${place}?revision=0`);
      await expect(404, 'anonymous', 'GET', `${place}?as_of=2001-01-01`);
      await expect(400, 'anonymous', 'GET', `${place}?as_of=nonsense`);
    }
  }
  await expect(403, 'anonymous', 'GET', `/venues/${secretVenue.id}`);
  await expect(400, 'anonymous', 'GET', `/venues/by-slug/${secretVenue.slug}`);
  const draft = await made('organizers', { organizer: 'Draft', status: 'private' });
  await expect(403, 'anonymous', 'GET', `/organizers/${draft.id}`);
  await expect(400, 'anonymous', 'GET', `/organizers/by-slug/${draft.slug}`);
  for (const place of [`/categories/${category.id}`, `/tags/${tag.id}`]) {
    const { headers } = await expect(200, 'anonymous', 'GET', place);
    await expect(304, 'anonymous', 'GET', place, undefined, { 'if-none-match': headers.etag });
    await expect(200, 'anonymous', 'GET', `${place}?context=embed`);
    await expect(200, 'editor', 'GET', `${place}?revision=0`);
    await expect(404, 'editor', 'GET', `${place}?revision=99`);
    await expect(403, 'subscriber', 'GET', `${place}?revision=0`);
    await expect(401, 'anonymous', 'GET', `${place}?revision=0`);
  }
  for (const place of [`/events/${events.plain.id}`, `/events/by-slug/${events.plain.slug}`])
    await expect(401, 'anonymous', 'GET', `${place}?revision=0`);
  for (const place of ['/events/999999', '/users/999999']) await expect(404, 'administrator', 'GET', place);
  await expect(404, 'anonymous', 'GET', `/events/by-slug/${events.plain.slug}?as_of=2001-01-01`);
  const { headers } = await expect(200, 'anonymous', 'GET', `/events/by-slug/${events.plain.slug}`);
  for (const place of [`/events/by-slug/${events.plain.slug}`, `/events/${events.plain.id}`])
    await expect(304, 'anonymous', 'GET', place, undefined, { 'if-none-match': headers.etag });
});

test('changes are as documented, whatever the method', async () => {
  const places: readonly (readonly [string, object])[] = [
    [`/events/${events.whole.id}`, { title: 'Renamed' }],
    [`/events/by-slug/${events.plain.slug}`, { title: 'Renamed too', venue: '' }],
    [`/venues/${venue.id}`, { city: 'York' }],
    [`/venues/by-slug/${venue.slug}`, { city: 'Hull' }],
    [`/organizers/${organizer.id}`, { phone: '3' }],
    [`/organizers/by-slug/${organizer.slug}`, { phone: '4' }],
    [`/categories/${category.id}`, { description: 'Clay' }],
    [`/tags/${tag.id}`, { description: 'Nothing to pay' }],
  ];
  for (const [place, body] of places) {
    for (const method of WRITES) {
      await expect(200, 'editor', method, place, body);
      await expect(400, 'editor', method, place, { title: '', venue: 'x'.repeat(70_000), organizer: 1, name: '' });
      await expect(401, 'anonymous', method, place, body);
      await expect(403, 'subscriber', method, place, body);
      await expect(412, 'editor', method, place, body, { 'if-match': '"99"' });
    }
  }
  for (const method of WRITES) {
    await expect(404, 'editor', method, '/events/999999', { title: 'x' });
    await expect(400, 'editor', method, `/events/${venue.id}`, { title: 'x' });
    await expect(404, 'editor', method, '/events/by-slug/nowhere', { title: 'x' });
    await expect(400, 'editor', method, '/venues/999999', { city: 'x' });
    await expect(400, 'editor', method, `/categories/${category.id}`, { slug: parentCategory.slug });
    await expect(400, 'editor', method, `/tags/${tag.id}`, { parent: 3 });
  }
});

test('histories, reverts and the feed of changes are as documented', async () => {
  const resources = { events: events.whole, venues: venue, organizers: organizer, categories: category, tags: tag };
  for (const [collection, { id }] of Object.entries(resources)) {
    const place = `/${collection}/${id}`;
    const { headers } = await expect(200, 'editor', 'GET', `${place}/history?per_page=1`);
    await expect(304, 'editor', 'GET', `${place}/history?per_page=1`, undefined, { 'if-none-match': headers.etag });
    await expect(404, 'editor', 'GET', `${place}/history?page=99`);
    await expect(401, 'anonymous', 'GET', `${place}/history`);
    await expect(403, 'subscriber', 'GET', `${place}/history`);
    const fields = await expect(200, 'editor', 'GET', `${place}/fields`);
    await expect(304, 'editor', 'GET', `${place}/fields`, undefined, { 'if-none-match': fields.headers.etag });
    await expect(401, 'anonymous', 'GET', `${place}/fields`);
    await expect(403, 'subscriber', 'GET', `${place}/fields`);
    await expect(collection === 'events' ? 404 : 400, 'editor', 'GET', `/${collection}/999999/fields`);
    await expect(200, 'editor', 'POST', `${place}/revert`, { revision: 0 });
    await expect(400, 'editor', 'POST', `${place}/revert`, {});
    await expect(401, 'anonymous', 'POST', `${place}/revert`, { revision: 0 });
    await expect(403, 'subscriber', 'POST', `${place}/revert`, { revision: 0 });
    await expect(404, 'editor', 'POST', `${place}/revert`, { revision: 99 });
    await expect(412, 'editor', 'POST', `${place}/revert`, { revision: 0 }, { 'if-match': '"99"' });
  }
  await expect(200, 'editor', 'GET', '/changes?per_page=3');
  await expect(200, 'author', 'GET', '/changes?types=event&after=end');
  await expect(400, 'editor', 'GET', '/changes?types=nonsense');
  await expect(401, 'anonymous', 'GET', '/changes');
  await expect(403, 'subscriber', 'GET', '/changes');
});

test('a revert with conflicts is as documented', async () => {
  const moved = await made('events', someEvent({ title: 'Moved on' }));
  await expect(200, 'editor', 'PUT', `/events/${moved.id}`, { slug: 'moved-away' });
  await expect(301, 'anonymous', 'GET', `/events/by-slug/${moved.slug}`);
  for (const [collection, field] of [
    ['venues', 'venue'],
    ['organizers', 'organizer'],
  ] as const) {
    const { id, slug } = await made(collection, { [field]: `First of ${collection}` });
    const published = (await expect(200, 'editor', 'GET', `/${collection}/${id}/history`)).body.total - 1;
    await expect(200, 'editor', 'PUT', `/${collection}/by-slug/${slug}`, { slug: `later-${slug}` });
    await expect(301, 'anonymous', 'GET', `/${collection}/by-slug/${slug}`);
    const other = await made(collection, { [field]: `Second of ${collection}` });
    await expect(200, 'editor', 'PUT', `/${collection}/by-slug/${other.slug}`, { slug });
    await expect(409, 'editor', 'POST', `/${collection}/${id}/revert`, { revision: published });
  }
  const hall = await made('venues', { venue: 'Doomed hall' });
  const { id } = await made('events', someEvent({ title: 'There', venue: hall.id }));
  const there = (await expect(200, 'editor', 'GET', `/events/${id}/history`)).body.total - 1;
  await expect(200, 'editor', 'PUT', `/events/${id}`, { venue: '' });
  await expect(200, 'editor', 'DELETE', `/venues/${hall.id}`);
  await expect(409, 'editor', 'POST', `/events/${id}/revert`, { revision: there });
  for (const collection of ['categories', 'tags']) {
    const term = await made(collection, { name: 'Taken' });
    await expect(200, 'editor', 'PUT', `/${collection}/${term.id}`, { slug: 'left' });
    await made(collection, { name: 'Taken again', slug: 'taken' });
    await expect(409, 'editor', 'POST', `/${collection}/${term.id}/revert`, { revision: 0 });
  }
});

test('merges, what they leave behind and duplicates are as documented', async () => {
  for (const [collection, field] of Object.entries({
    ...{ venues: 'venue', organizers: 'organizer', categories: 'name', tags: 'name' },
  })) {
    const stays = await made(collection, { [field]: `Stays in ${collection}` });
    const { id, slug } = await made(collection, { [field]: `Goes from ${collection}` });
    await made(collection, { [field]: `Stays in “${collection}”`, description: 'Twin', slug: `twin-in-${collection}` });
    const duplicates = `/${collection}/duplicates?per_page=1`;
    const { headers } = await expect(200, 'editor', 'GET', duplicates);
    await expect(304, 'editor', 'GET', duplicates, undefined, { 'if-none-match': String(headers.etag) });
    await expect(400, 'editor', 'GET', `/${collection}/duplicates?page=0`);
    await expect(401, 'anonymous', 'GET', duplicates);
    await expect(403, 'author', 'GET', duplicates);
    const [place, merge] = [`/${collection}/${id}`, { into: stays.id }];
    await expect(200, 'editor', 'POST', `${place}/merge`, { ...merge, dry_run: true });
    await expect(400, 'editor', 'POST', `${place}/merge`, {});
    await expect(401, 'anonymous', 'POST', `${place}/merge`, merge);
    await expect(403, 'author', 'POST', `${place}/merge`, merge);
    await expect(409, 'editor', 'POST', `${place}/merge`, { into: id });
    await expect(412, 'editor', 'POST', `${place}/merge`, merge, { 'if-match': '"99"' });
    const rule = (editor: string) => daybook.request('administrator', 'PUT', '/policy', { [collection]: { editor } });
    await rule('review');
    await expect(202, 'editor', 'POST', `${place}/merge`, merge);
    await rule('direct');
    await expect(200, 'editor', 'POST', `${place}/merge`, merge);
    await expect(308, 'anonymous', 'GET', place);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) await expect(409, 'editor', method, place, {});
    if (field === 'name') continue;
    await expect(200, 'editor', 'GET', `/${collection}?status=trash`);
    const named = `/${collection}/by-slug/${slug}`;
    await expect(308, 'anonymous', 'GET', named);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) await expect(409, 'editor', method, named, {});
  }
});

test('the schedule is as documented', async () => {
  const { headers } = await expect(200, 'contributor', 'GET', '/schedule?kind=event&from=2026-01-01');
  await expect(304, 'contributor', 'GET', '/schedule?kind=event&from=2026-01-01', undefined, {
    'if-none-match': String(headers.etag),
  });
  await expect(404, 'editor', 'GET', '/schedule?page=99');
  await expect(400, 'editor', 'GET', '/schedule?kind=user');
  await expect(401, 'anonymous', 'GET', '/schedule');
  await expect(403, 'subscriber', 'GET', '/schedule');
});

test('reverts of whole requests are as documented', async () => {
  const made = await expect(201, 'editor', 'POST', '/tags', { name: 'Short' });
  const request = String(made.headers['x-request-id']);
  await expect(200, 'editor', 'POST', '/reverts', { request, dry_run: true });
  await expect(200, 'administrator', 'POST', '/reverts', { request });
  await expect(404, 'editor', 'POST', '/reverts', { request: 'of none' });
  await expect(400, 'editor', 'POST', '/reverts', {});
  await expect(412, 'editor', 'POST', '/reverts', { request }, { 'if-match': 'x' });
  await expect(401, 'anonymous', 'POST', '/reverts', { request });
  await expect(403, 'author', 'POST', '/reverts', { request });
});

test('the table of events is as documented', async () => {
  await expect(200, 'editor', 'GET', '/events.csv');
  await expect(400, 'editor', 'GET', '/events.csv?venue=9999999');
  await expect(400, 'editor', 'GET', '/events.csv?categories=1&with=set:1');
  await expect(400, 'editor', 'GET', '/events.csv?tags=1&as_of=2026-01-01');
  await expect(401, 'anonymous', 'GET', '/events.csv');
  await expect(403, 'author', 'GET', '/events.csv');
});

test('imports are as documented', async () => {
  const file = 'title,start,venue\nFair,2027-05-01 10:00,Green\nNothing,never,Green';
  const { body } = await expect(201, 'editor', 'POST', '/imports', { file, name: 'a.csv', dry_run: true });
  await expect(200, 'editor', 'GET', `/imports/${body.id}`);
  await expect(200, 'editor', 'GET', '/imports');
  await expect(404, 'editor', 'GET', '/imports/5');
  await expect(404, 'editor', 'POST', '/imports', { from: 5 });
  await expect(400, 'editor', 'POST', '/imports', {});
  for (const [status, as] of [
    [401, 'anonymous'],
    [403, 'author'],
  ] as const) {
    await expect(status, as, 'POST', '/imports', { file });
    await expect(status, as, 'GET', '/imports');
    await expect(status, as, 'GET', `/imports/${body.id}`);
  }
});

test('proposals and their review are as documented', async () => {
  const changes = {
    events: [events.whole, someEvent({ title: 'Proposed' }), 'excerpt'],
    venues: [venue, { venue: 'Proposed' }, 'city'],
    organizers: [organizer, { organizer: 'Proposed' }, 'phone'],
    categories: [category, { name: 'Proposed' }, 'description'],
    tags: [tag, { name: 'Proposed' }, 'description'],
  } as const;
  const steps = ['comments', 'request-changes', 'approve', 'reject', 'withdraw'];
  for (const [collection, [{ id }, create, field]] of Object.entries(changes)) {
    for (const [place, body] of [
      [`/${collection}/proposals`, create],
      [`/${collection}/${id}/proposals`, { [field]: 'proposed' }],
    ] as const) {
      const closed = await expect(201, 'editor', 'POST', place, body);
      await expect(200, 'editor', 'POST', place, { ...body, [field]: 'revised', revises: closed.body.id });
      await expect(200, 'editor', 'POST', `/proposals/${closed.body.id}/withdraw`, {});
      await expect(409, 'editor', 'POST', place, { ...body, revises: closed.body.id });
      await expect(400, 'editor', 'POST', place, { ...body, revises: 'x' });
      await expect(401, 'anonymous', 'POST', place, body);
      await expect(403, 'subscriber', 'POST', place, body);
      await expect(404, 'editor', 'POST', place, { ...body, revises: 999 });
      await expect(412, 'editor', 'POST', place, body, { 'if-match': '"x"' });
    }
  }
  const { id: event } = await daybook.created('editor', 'events', someEvent({ title: 'To be discussed' }));
  const open = async (excerpt: string) =>
    (await expect(201, 'contributor', 'POST', `/events/${event}/proposals`, { excerpt })).body.id;
  for (const step of steps) {
    const place = `/proposals/${await open(step)}/${step}`;
    const as = step === 'withdraw' ? 'contributor' : 'editor';
    await expect(401, 'anonymous', 'POST', place, {});
    await expect(403, step === 'withdraw' ? 'editor' : 'subscriber', 'POST', place, {});
    await expect(404, 'editor', 'POST', `/proposals/999/${step}`, {});
    await expect(412, as, 'POST', place, {}, { 'if-match': '"99"' });
    await expect(400, as, 'POST', place, { text: ['x'] });
    await expect(200, as, 'POST', place, { text: 'So be it.' });
    if (step !== 'comments') await expect(409, as, 'POST', place, {});
  }
  const id = await open('read');
  for (const place of [`/proposals/${id}`, '/proposals?state=open&per_page=2']) {
    const { headers } = await expect(200, 'editor', 'GET', place);
    await expect(304, 'editor', 'GET', place, undefined, { 'if-none-match': headers.etag });
    await expect(401, 'anonymous', 'GET', place);
    await expect(403, 'subscriber', 'GET', place);
  }
  await expect(404, 'editor', 'GET', '/proposals/999');
  await expect(200, 'editor', 'POST', `/proposals/${id}/reject`, {});
  for (const collection of ['events', 'venues', 'organizers', 'categories', 'tags']) {
    const isOfTerms = collection === 'categories' || collection === 'tags';
    const { body } = await expect(
      200,
      'editor',
      'GET',
      `/${collection}${isOfTerms ? '?hide_empty=0' : '?status=publish'}`,
    );
    const [{ id: first, slug }] = body[collection];
    for (const place of ['', `/${first}`, ...(isOfTerms ? [] : [`/by-slug/${slug}`])]) {
      await expect(409, 'editor', 'GET', `/${collection}${place}?with=proposal:${id}`);
      await expect(404, 'editor', 'GET', `/${collection}${place}?with=proposal:999`);
    }
  }
  const now = new Date(daybook.clock.at * 1000).toISOString();
  const feeds = ['/events.ics?', '/events.rss?', '/events.atom?', `/events/${event}.ics?`];
  for (const place of [...feeds, `/events/${event}/why?`, `/events/compare?from=${now}&`]) {
    await expect(409, 'editor', 'GET', `${place}with=proposal:${id}`);
    await expect(404, 'editor', 'GET', `${place}with=proposal:999`);
  }
  await expect(404, 'editor', 'GET', '/proposals?page=99');
  await expect(400, 'editor', 'GET', '/proposals?kind=user');
});

test('sets of proposals are as documented', async () => {
  const { id: event } = await daybook.created('editor', 'events', someEvent({ title: 'In a set' }));
  const open = async (excerpt: string) => {
    const { body } = await expect(201, 'contributor', 'POST', `/events/${event}/proposals`, { excerpt });
    return (await expect(201, 'editor', 'POST', '/sets', { name: excerpt, proposals: [body.id] })).body;
  };
  const { id, proposals } = await open('collected');
  const at = '2099-03-01T06:00:00Z';
  for (const [method, step, body] of [
    ['PATCH', '', { name: 'Another' }],
    ['POST', '/members', { proposals }],
    ['POST', '/schedule', { at }],
    ['DELETE', '/schedule', undefined],
    ['POST', '/apply', { dry_run: true }],
    ['POST', '/apply', {}],
  ] as const) {
    const place = `/sets/${id}${step}`;
    await expect(401, 'anonymous', method, place, body);
    await expect(403, 'author', method, place, body);
    await expect(404, 'editor', method, `/sets/999${step}`, body);
    await expect(412, 'editor', method, place, body, { 'if-match': '"x"' });
    await expect(200, 'editor', method, place, body);
  }
  for (const [method, step, body] of [
    ['PATCH', '', { name: 'Another' }],
    ['POST', '/members', { proposals }],
    ['POST', '/schedule', { at }],
    ['DELETE', '/schedule', undefined],
    ['POST', '/apply', {}],
    ['DELETE', '', undefined],
  ] as const) {
    const place = `/sets/${id}${step}`;
    await expect(409, 'editor', method, place, body);
    if (method !== 'DELETE')
      await expect(400, 'editor', method, place, { name: '', proposals: 'x', at: 'x', dry_run: 'x' });
  }
  await expect(200, 'editor', 'POST', `/sets/${id}/comments`, { text: 'Said.' });
  const { id: other, proposals: members } = await open('withdrawn');
  for (const step of ['comments', 'request-changes', 'approve'] as const) {
    const place = `/sets/${other}/${step}`;
    await expect(401, 'anonymous', 'POST', place, { text: 'Said.' });
    await expect(403, 'author', 'POST', place, { text: 'Said.' });
    await expect(404, 'administrator', 'POST', `/sets/999/${step}`, { text: 'Said.' });
    await expect(412, 'administrator', 'POST', place, { text: 'Said.' }, { 'if-match': '"99"' });
    await expect(400, 'administrator', 'POST', place, { text: { not: 'a text' } });
    await expect(200, 'administrator', 'POST', place, { text: 'Said.' });
    if (step === 'comments') continue;
    await expect(403, 'editor', 'POST', place, {});
    await expect(409, 'administrator', 'POST', `/sets/${id}/${step}`, {});
  }
  await expect(409, 'administrator', 'POST', `/sets/${other}/approve`, {});
  await expect(200, 'editor', 'PATCH', `/sets/${other}`, { proposals: [...proposals, ...members] });
  await expect(401, 'anonymous', 'DELETE', `/sets/${other}`);
  await expect(403, 'author', 'DELETE', `/sets/${other}`);
  await expect(404, 'editor', 'DELETE', '/sets/999');
  await expect(412, 'editor', 'DELETE', `/sets/${other}`, undefined, { 'if-match': '"99"' });
  await expect(200, 'editor', 'DELETE', `/sets/${other}`);
  await expect(400, 'editor', 'POST', '/sets', {});
  await expect(401, 'anonymous', 'POST', '/sets', { name: 'x' });
  await expect(403, 'author', 'POST', '/sets', { name: 'x' });
  await expect(412, 'editor', 'POST', '/sets', { name: 'x' }, { 'if-match': '"x"' });
  await expect(404, 'editor', 'POST', '/sets', { name: 'Unknown', proposals: [999] });
  await expect(400, 'editor', 'GET', '/sets?state=nowhere');
  for (const place of [`/sets/${id}`, '/sets?per_page=1']) {
    const { headers } = await expect(200, 'editor', 'GET', place);
    await expect(304, 'editor', 'GET', place, undefined, { 'if-none-match': headers.etag });
    await expect(401, 'anonymous', 'GET', place);
    await expect(403, 'author', 'GET', place);
  }
  await expect(404, 'editor', 'GET', '/sets/999');
});

test('series are as documented', async () => {
  const recurrence = { rrule: 'FREQ=DAILY;COUNT=2' };
  const { id, series } = await daybook.created('author', 'events', someEvent({ recurrence }));
  await expect(400, 'author', 'POST', '/events', someEvent({ recurrence: { rrule: 'EVERY DAY' } }));
  await expect(200, 'author', 'PATCH', `/events/${id}`, { scope: 'all', title: 'Daily', dry_run: true });
  for (const place of [`/series/${series.id}`, '/series', `/series/${series.id}/history`]) {
    const { headers } = await expect(200, 'author', 'GET', place);
    await expect(304, 'author', 'GET', place, undefined, { 'if-none-match': headers.etag });
  }
  await expect(404, 'anonymous', 'GET', '/series/99999');
  await expect(404, 'anonymous', 'GET', '/series?page=99');
  await expect(400, 'anonymous', 'GET', '/series?page=x');
  await expect(401, 'anonymous', 'GET', `/series/${series.id}/history`);
  await expect(403, 'contributor', 'GET', `/series/${series.id}/history`);
  await expect(404, 'editor', 'GET', `/series/${series.id}/history?page=99`);
  const back = `/series/${series.id}/revert`;
  await expect(200, 'author', 'POST', back, { revision: 0, dry_run: true });
  await expect(200, 'author', 'POST', back, { revision: 0 });
  await expect(400, 'author', 'POST', back, {});
  await expect(401, 'anonymous', 'POST', back, { revision: 0 });
  await expect(403, 'otherAuthor', 'POST', back, { revision: 0 });
  await expect(404, 'editor', 'POST', back, { revision: 99 });
  await expect(412, 'author', 'POST', back, { revision: 0 }, { 'if-match': '"99"' });
  await expect(200, 'author', 'PATCH', `/events/${id + 1}`, { scope: 'following', title: 'Weekly' });
  const heir = (await expect(200, 'author', 'GET', `/events/${id + 1}`)).body.series.id;
  await expect(200, 'author', 'POST', back, { revision: 0 });
  await expect(409, 'author', 'POST', `/series/${heir}/revert`, { revision: 0 });
  await expect(200, 'author', 'DELETE', `/events/${id}?scope=all`);
});

/** As many webhooks as there may be: beside the API, because each that is not paused is looked after. */
async function fillWithPaused(count: number, url: string): Promise<void> {
  const metadata = { actor: { id: null, name: 'test' }, instant: '2026-11-20T12:00:00Z', ...BY_TEST };
  const fact = (type: string, data: object) =>
    ({ id: randomUUID(), type, schemaVersion: 1, data, metadata }) as NewEvent;
  const ids = Array.from({ length: count }, (_, index) => index + 2);
  const reserved = ids.map((id) => fact('IdsReserved', { first: id, count: 1, purpose: 'create' }));
  const settings = { name: '', url, user: 1, filters: {}, secret: 'whsec_AAAA' };
  await daybook.store.append([
    { stream: 'ids-webhook', expected: await endOf(daybook.store, 'ids-webhook'), events: reserved },
    ...ids.map((id) => ({
      stream: `webhook-${id}`,
      expected: 'no_stream' as const,
      events: [fact('WebhookCreated', { id, ...settings }), fact('WebhookPaused', { why: 'asked' })],
    })),
  ]);
}

const BY_TEST = { correlationId: 'test', causationId: 'test' };

test('webhooks are as documented', async () => {
  const url = `http://${RECEIVER}/daybook`;
  const key = { 'idempotency-key': 'first webhook' };
  const { body: created } = await expect(201, 'administrator', 'POST', '/webhooks', { url, role: 'editor' }, key);
  assert.match(created.secret, /^whsec_/);
  const repeated = await expect(201, 'administrator', 'POST', '/webhooks', { url, role: 'editor' }, key);
  assert.is(repeated.body.secret, null);
  const target = `/webhooks/${created.id}`;
  for (const place of ['/webhooks', target, `${target}/deliveries`]) {
    const { headers } = await expect(200, 'administrator', 'GET', place);
    await expect(304, 'administrator', 'GET', place, undefined, { 'if-none-match': headers.etag });
    await expect(401, 'anonymous', 'GET', place);
    await expect(403, 'editor', 'GET', place);
  }
  await expect(400, 'administrator', 'GET', `${target}/deliveries?before=x`);
  for (const bad of [{}, { url: 'http://127.0.0.2/' }, { url, types: 'cat' }, { url, actor: 'Ann' }, { url, user: 99 }])
    await expect(400, 'administrator', 'POST', '/webhooks', bad);
  await expect(400, 'administrator', 'PATCH', target, { url: 'ftp://hooks.example/' });
  await expect(412, 'administrator', 'PATCH', target, { name: 'x' }, { 'if-match': '"99"' });
  const { body } = await expect(200, 'administrator', 'PATCH', target, { name: 'Site', types: 'event,VenueRelocated' });
  assert.equal(body.filters, {
    types: ['event', 'VenueRelocated'],
    actor: [],
    role: ['editor'],
    field: [],
    reason: '',
  });
  const { body: refused } = await expect(200, 'administrator', 'POST', `${target}/test`, {});
  assert.equal([refused.delivered, refused.failure], [false, 'connection']);
  for (const step of ['rotate', 'pause', 'resume', 'test', `deliveries/${SOME_EVENT}/send-again`]) {
    if (step.endsWith('e')) await expect(200, 'administrator', 'POST', `${target}/${step}`, {});
    await expect(404, 'administrator', 'POST', `/webhooks/999/${step}`, {});
    await expect(403, 'editor', 'POST', `${target}/${step}`, {});
    await expect(401, 'anonymous', 'POST', `${target}/${step}`, {});
  }
  for (const step of ['rotate', 'pause', 'resume'])
    await expect(412, 'administrator', 'POST', `${target}/${step}`, {}, { 'if-match': '"99"' });
  const again = (id: string) => `${target}/deliveries/${id}/send-again`;
  await expect(404, 'administrator', 'POST', again(SOME_EVENT), {});
  await expect(404, 'administrator', 'GET', '/webhooks/999/deliveries');
  const parked = { event: SOME_EVENT, stream: 'venue-1', revision: 0 };
  const metadata = { actor: { id: null, name: 'test' }, instant: body.created, correlationId: 'x', causationId: 'x' };
  const fact = { id: randomUUID(), type: 'DeliveryParked', schemaVersion: 1, data: parked, metadata };
  await daybook.store.append([{ stream: `deliveries-${created.id}`, expected: 'no_stream', events: [fact] }]);
  const { body: rows } = await expect(200, 'administrator', 'POST', again(SOME_EVENT), {});
  assert.equal(
    [rows.deliveries.map(({ outcome }: Body) => outcome), rows.waiting.length, rows.parked],
    [['requested', 'parked'], 1, []],
  );
  for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
    const name = method === 'PATCH' ? { name: 'x' } : undefined;
    await expect(404, 'administrator', method, '/webhooks/999', name);
    await expect(403, 'editor', method, target, name);
    await expect(401, 'anonymous', method, target, name);
  }
  for (const as of ['editor', 'anonymous'] as const)
    await expect(as === 'editor' ? 403 : 401, as, 'POST', '/webhooks', { url });
  await expect(412, 'administrator', 'POST', '/webhooks', { url }, { 'if-match': '"99"' });
  await expect(412, 'administrator', 'DELETE', target, undefined, { 'if-match': '"99"' });
  await expect(200, 'administrator', 'DELETE', target);
  await expect(404, 'administrator', 'DELETE', target);
  await fillWithPaused(50, url);
  await expect(409, 'administrator', 'POST', '/webhooks', { url });
  await expect(200, 'administrator', 'GET', '/changes?kind=webhook');
  await expect(403, 'editor', 'GET', '/changes?kind=webhook');
});

test('links for guests are as documented', async () => {
  const { body: event } = await expect(201, 'editor', 'POST', '/events', someEvent({ status: 'draft' }));
  const asked = { kind: 'event', of: event.id, name: 'Anna' };
  const { body: made } = await expect(201, 'editor', 'POST', '/guest-links', asked);
  assert.match(made.link, /\/desk\/guest\/\d+-[\w-]{43}$/);
  await expect(404, 'editor', 'POST', '/guest-links', { ...asked, kind: 'set' });
  await expect(400, 'editor', 'POST', '/guest-links', { ...asked, days: 0 });
  await expect(412, 'editor', 'POST', '/guest-links', asked, { 'if-match': '"99"' });
  const [list, target] = [`/guest-links?kind=event&of=${event.id}`, `/guest-links/${made.id}`];
  for (const place of [list, target]) {
    const { headers } = await expect(200, 'editor', 'GET', place);
    await expect(304, 'editor', 'GET', place, undefined, { 'if-none-match': headers.etag });
    await expect(401, 'anonymous', 'GET', place);
    await expect(403, 'author', 'GET', place);
  }
  await expect(400, 'editor', 'GET', '/guest-links');
  await expect(401, 'anonymous', 'POST', '/guest-links', asked);
  await expect(403, 'author', 'POST', '/guest-links', asked);
  await expect(401, 'anonymous', 'DELETE', target);
  await expect(403, 'author', 'DELETE', target);
  for (const method of ['GET', 'DELETE'] as const) await expect(404, 'editor', method, '/guest-links/999');
  await expect(412, 'editor', 'DELETE', target, undefined, { 'if-match': '"99"' });
  const { body: revoked } = await expect(200, 'editor', 'DELETE', target);
  assert.is(revoked.open, false);
});

test('sources are as documented', async () => {
  // Nothing listens there.
  const address = `http://${RECEIVER}/programme.ics`;
  const { body: created } = await expect(201, 'editor', 'POST', '/sources', { address, name: 'Theatre' });
  const target = `/sources/${created.id}`;
  for (let last = null; !last?.ended; ) {
    ({ last_poll: last } = (await expect(200, 'editor', 'GET', target)).body);
    await sleep(20);
  }
  for (const place of ['/sources', target, `${target}/polls`]) {
    const { headers } = await expect(200, 'editor', 'GET', place);
    await expect(304, 'editor', 'GET', place, undefined, { 'if-none-match': headers.etag });
    await expect(401, 'anonymous', 'GET', place);
    await expect(403, 'author', 'GET', place);
  }
  for (const bad of [{}, { address: 'http://127.0.0.2/' }, { address, every: 1 }, { address, user: 99 }])
    await expect(400, 'editor', 'POST', '/sources', bad);
  await expect(400, 'editor', 'PATCH', target, { mode: 'x' });
  await expect(412, 'editor', 'PATCH', target, { name: 'x' }, { 'if-match': '"99"' });
  await expect(200, 'editor', 'PATCH', target, { name: 'x', on_missing: 'bin' });
  const dry = await expect(201, 'editor', 'POST', `${target}/polls`, { dry_run: true });
  assert.equal([dry.body.outcome, dry.body.problem], ['failed', 'unreadable']);
  for (const step of ['pause', 'resume']) {
    await expect(200, 'editor', 'POST', `${target}/${step}`, {});
    await expect(412, 'editor', 'POST', `${target}/${step}`, {}, { 'if-match': '"99"' });
  }
  for (const step of ['pause', 'resume', 'polls']) {
    await expect(404, 'editor', 'POST', `/sources/999/${step}`, {});
    await expect(403, 'author', 'POST', `${target}/${step}`, {});
    await expect(401, 'anonymous', 'POST', `${target}/${step}`, {});
  }
  await expect(404, 'editor', 'GET', '/sources/999/polls');
  for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
    const name = method === 'PATCH' ? { name: 'x' } : undefined;
    await expect(404, 'editor', method, '/sources/999', name);
    await expect(403, 'author', method, target, name);
    await expect(401, 'anonymous', method, target, name);
  }
  for (const as of ['author', 'anonymous'] as const)
    await expect(as === 'author' ? 403 : 401, as, 'POST', '/sources', { address });
  await expect(412, 'editor', 'POST', '/sources', { address }, { 'if-match': '"99"' });
  // Of several at once those that come before the first has ended are refused.
  const polls = Array.from({ length: 5 }, () => daybook.request('editor', 'POST', `${target}/polls`, {}));
  const statuses = new Set((await Promise.all(polls)).map(({ status }) => status));
  assert.equal([...statuses].toSorted(), [201, 409]);
  await expect(412, 'editor', 'DELETE', target, undefined, { 'if-match': '"99"' });
  await expect(200, 'editor', 'DELETE', target);
  await expect(404, 'editor', 'DELETE', target);
  await expect(200, 'editor', 'GET', '/changes?kind=source');
  const many = await Promise.all(
    Array.from({ length: 50 }, () => expect(201, 'editor', 'POST', '/sources', { address })),
  );
  await expect(409, 'editor', 'POST', '/sources', { address });
  await Promise.all(many.map(({ body: { id } }) => expect(200, 'editor', 'DELETE', `/sources/${id}`)));
});

test('uploaded pictures are as documented', async () => {
  const { body: sent, headers } = await formWith(await png(400, 300), { alt: 'Blue' });
  const upload = (status: number, as: As, more = {}) =>
    expect(status, as, 'POST', '/media', sent, { ...headers, ...more });
  const { id } = (await upload(201, 'author')).body;
  await upload(401, 'anonymous');
  await upload(403, 'contributor');
  await upload(412, 'author', { 'if-match': '"x"' });
  const large = await formWith(new Uint8Array(1_100_000));
  await expect(413, 'author', 'POST', '/media', large.body, large.headers);
  await expect(400, 'author', 'POST', '/media', {});
  for (const place of [`/media/${id}`, '/media?per_page=1']) {
    const { headers: got } = await expect(200, 'author', 'GET', place);
    await expect(304, 'author', 'GET', place, undefined, { 'if-none-match': got.etag });
    await expect(401, 'anonymous', 'GET', place);
    await expect(403, 'contributor', 'GET', place);
  }
  await expect(404, 'author', 'GET', '/media/999');
  await expect(404, 'author', 'GET', '/media?page=99');
  await expect(400, 'author', 'GET', '/media?author=x');
  const event = await daybook.created('author', 'events', someEvent({ image: id }));
  await expect(409, 'author', 'DELETE', `/media/${id}`);
  await expect(200, 'author', 'PATCH', `/events/${event.id}`, { image: 'https://pictures.example/1.jpg' });
  for (const [method, body] of [
    ['PATCH', { alt: 'Very blue' }],
    ['DELETE', undefined],
  ] as const) {
    await expect(401, 'anonymous', method, `/media/${id}`, body);
    await expect(403, 'otherAuthor', method, `/media/${id}`, body);
    await expect(412, 'author', method, `/media/${id}`, body, { 'if-match': '"99"' });
    await expect(404, 'author', method, '/media/999', body);
    await expect(200, 'author', method, `/media/${id}`, body);
  }
});

test('deletions are as documented, the second time too', async () => {
  const fresh = {
    events: () => made('events', someEvent({ title: 'Short-lived' })),
    venues: () => made('venues', { venue: 'Short-lived' }),
    organizers: () => made('organizers', { organizer: 'Short-lived' }),
  };
  for (const [collection, make] of Object.entries(fresh)) {
    const one = await make();
    await expect(401, 'anonymous', 'DELETE', `/${collection}/${one.id}`);
    await expect(403, 'subscriber', 'DELETE', `/${collection}/${one.id}`);
    await expect(412, 'editor', 'DELETE', `/${collection}/${one.id}`, undefined, { 'if-match': '"99"' });
    const { body } = await expect(200, 'editor', 'DELETE', `/${collection}/${one.id}`);
    await expect(410, 'editor', 'DELETE', `/${collection}/${one.id}`);
    await expect(410, 'editor', 'DELETE', `/${collection}/by-slug/${body.slug ?? `${one.slug}__trashed`}`);
    const { slug } = await make();
    await expect(401, 'anonymous', 'DELETE', `/${collection}/by-slug/${slug}`);
    await expect(403, 'subscriber', 'DELETE', `/${collection}/by-slug/${slug}`);
    await expect(412, 'editor', 'DELETE', `/${collection}/by-slug/${slug}`, undefined, { 'if-match': '"99"' });
    await expect(200, 'editor', 'DELETE', `/${collection}/by-slug/${slug}`);
    await expect(400, 'editor', 'DELETE', `/${collection}/by-slug/nowhere`);
  }
  await expect(404, 'editor', 'DELETE', '/events/999999');
  await expect(400, 'editor', 'DELETE', `/events/${venue.id}`);
  for (const collection of ['categories', 'tags']) {
    const { id } = await made(collection, { name: 'Short-lived' });
    await expect(401, 'anonymous', 'DELETE', `/${collection}/${id}`);
    await expect(403, 'subscriber', 'DELETE', `/${collection}/${id}`);
    await expect(412, 'editor', 'DELETE', `/${collection}/${id}`, undefined, { 'if-match': '"99"' });
    await expect(200, 'editor', 'DELETE', `/${collection}/${id}`);
    await expect(400, 'editor', 'DELETE', `/${collection}/${id}`);
  }
});

test('the index and the document are as documented', async () => {
  await expect(200, 'anonymous', 'GET', '');
  await expect(404, 'anonymous', 'GET', '?namespace=other/v1');
  const { headers } = await expect(200, 'anonymous', 'GET', '/doc');
  await expect(304, 'anonymous', 'GET', '/doc', undefined, { 'if-none-match': headers.etag });
});

test('feeds are as documented', async () => {
  const feed = async (status: number, target: string, headers: Body = {}) => {
    const url = `${PREFIX}${target}`;
    const answer = await daybook.service.app.inject({ url, headers: { host: 'cal.example', ...headers } });
    assert.is(answer.statusCode, status, `${target} ${answer.payload.slice(0, 200)}`);
    const isJson = String(answer.headers['content-type']).startsWith('application/json');
    const body = isJson && answer.payload !== '' ? answer.json() : undefined;
    // What Fastify knows of headers are texts and numbers.
    const exchange = { method: 'GET', target, status, headers: answer.headers as Body, body };
    assert.equal(daybook.check.problems(exchange), []);
    return answer;
  };
  for (const target of ['/events.ics', `/events/${events.severalVenues.id}.ics`, '/events.rss', '/events.atom']) {
    const { headers } = await feed(200, target);
    await feed(304, target, { 'if-none-match': String(headers.etag) });
  }
  await feed(400, '/events.ics?start_date=nonsense');
  await feed(400, `/events/${venue.id}.ics`);
  await feed(404, '/events/999999.ics');
  await feed(403, `/events/${events.locked.id}.ics`);
});

test('users and their credentials are as documented', async () => {
  const user = { login: 'grace', role: 'author', email: 'grace@example.org', label: 'desk' };
  const { id } = (await expect(201, 'administrator', 'POST', '/users', user)).body;
  await expect(409, 'administrator', 'POST', '/users', user);
  await expect(400, 'administrator', 'POST', '/users', {});
  await expect(404, 'administrator', 'GET', '/users?page=99');
  await expect(404, 'administrator', 'GET', '/users/999999/history');
  await expect(201, 'administrator', 'POST', `/users/${id}/credentials`, { label: 'phone' });
  const places = ['/users?per_page=2&page=2', `/users/${id}`, `/users/${id}/credentials`, `/users/${id}/history`];
  for (const place of [...places, '/users/me']) {
    const { headers } = await expect(200, 'administrator', 'GET', place);
    await expect(304, 'administrator', 'GET', place, undefined, { 'if-none-match': headers.etag });
    await expect(401, 'anonymous', 'GET', place);
    if (place !== '/users/me') await expect(403, 'author', 'GET', place);
  }
  await expect(404, 'administrator', 'GET', '/users/999999/credentials');
  const credential = `/users/${id}/credentials/1`;
  const writes: readonly (readonly [string, string, object | undefined])[] = [
    ['POST', '/users', { ...user, login: 'henry', email: '' }],
    ...WRITES.map((method) => [method, `/users/${id}`, { name: `By ${method}` }] as const),
    ['POST', `/users/${id}/credentials`, { label: 'laptop' }],
    ['PUT', `/users/${id}/password`, { password: 'three words in a row' }],
    ['DELETE', credential, undefined],
    ['DELETE', `/users/${id}`, undefined],
  ];
  for (const [method, place, body] of writes) {
    await expect(401, 'anonymous', method, place, body);
    await expect(403, 'author', method, place, body);
    await expect(412, 'administrator', method, place, body, { 'if-match': '"x"' });
    if (place !== '/users') await expect(404, 'administrator', method, place.replace(String(id), '999999'), body);
    await expect(method === 'POST' && place.endsWith('s') ? 201 : 200, 'administrator', method, place, body);
  }
  await expect(404, 'administrator', 'DELETE', credential);
  const own = `/users/${daybook.userId('administrator')}`;
  for (const method of WRITES) await expect(409, 'administrator', method, own, { role: 'author' });
  await expect(409, 'administrator', 'DELETE', own);
  await expect(409, 'administrator', 'DELETE', `${own}/credentials/1`);
});

/** Of each kind: a resource, another one, and the revision that the first can be put back to. */
const REVIEWED: readonly (readonly [collection: string, body: object, other: object, revision: number])[] = [
  ['events', someEvent(), someEvent(), 1],
  ['venues', { venue: 'Reviewed' }, { venue: 'Unseen' }, 1],
  ['organizers', { organizer: 'Reviewed' }, { organizer: 'Unseen' }, 1],
  ['categories', { name: 'Reviewed' }, { name: 'Unseen' }, 0],
  ['tags', { name: 'reviewed' }, { name: 'unseen' }, 0],
];

test('sessions, and links for a new password, are as documented', async () => {
  const id = daybook.userId('contributor');
  const { headers } = await expect(200, 'contributor', 'GET', `/users/${id}/sessions`);
  await expect(304, 'contributor', 'GET', `/users/${id}/sessions`, undefined, { 'if-none-match': headers.etag });
  for (const method of ['GET', 'DELETE']) {
    await expect(401, 'anonymous', method, `/users/${id}/sessions`);
    await expect(403, 'author', method, `/users/${id}/sessions`);
    await expect(404, 'administrator', method, '/users/999999/sessions');
  }
  await expect(400, 'administrator', 'DELETE', `/users/${id}/sessions?session=99`);
  await expect(200, 'administrator', 'DELETE', `/users/${id}/sessions`);
  await expect(200, 'administrator', 'POST', `/users/${id}/password-link`);
  await expect(401, 'anonymous', 'POST', `/users/${id}/password-link`);
  await expect(403, 'contributor', 'POST', `/users/${id}/password-link`);
  await expect(404, 'administrator', 'POST', '/users/999999/password-link');
});

test('the searches that a user keeps are as documented', async () => {
  const path = `/users/${daybook.userId('contributor')}/searches`;
  const body = { name: 'Drafts', query: 'state=draft' };
  await expect(200, 'contributor', 'PUT', path, body);
  const { headers } = await expect(200, 'contributor', 'GET', path);
  await expect(304, 'contributor', 'GET', path, undefined, { 'if-none-match': headers.etag });
  await expect(400, 'contributor', 'PUT', path, { name: ' ', query: '' });
  await expect(412, 'contributor', 'PUT', path, { ...body, query: '' }, { 'if-match': '"0"' });
  for (const [method, target] of [
    ['GET', ''],
    ['PUT', ''],
    ['DELETE', '?name=Drafts'],
  ] as const) {
    await expect(401, 'anonymous', method, `${path}${target}`, body);
    await expect(403, 'author', method, `${path}${target}`, body);
    await expect(404, 'administrator', method, `/users/999999/searches${target}`, body);
  }
  await expect(412, 'contributor', 'DELETE', `${path}?name=Drafts`, undefined, { 'if-match': '"0"' });
  await expect(200, 'contributor', 'DELETE', `${path}?name=Drafts`);
});

test('the settings of the site are as documented', async () => {
  const { headers } = await expect(200, 'author', 'GET', '/settings');
  await expect(304, 'author', 'GET', '/settings', undefined, { 'if-none-match': headers.etag });
  for (const place of ['/settings', '/settings/history']) {
    await expect(401, 'anonymous', 'GET', place);
    await expect(403, 'subscriber', 'GET', place);
  }
  for (const method of WRITES) {
    await expect(401, 'anonymous', method, '/settings', {});
    await expect(403, 'editor', method, '/settings', {});
    await expect(400, 'administrator', method, '/settings', {});
    await expect(412, 'administrator', method, '/settings', { language: 'de' }, { 'if-match': '"x"' });
    await expect(200, 'administrator', method, '/settings', {
      links: [{ label: 'Town', url: 'https://town.example' }],
    });
  }
  const history = await expect(200, 'administrator', 'GET', '/settings/history');
  await expect(304, 'administrator', 'GET', '/settings/history', undefined, { 'if-none-match': history.headers.etag });
  await expect(404, 'administrator', 'GET', '/settings/history?page=99');
});

test('rules of review, and writes that they turn into proposals, are as documented', async () => {
  const { headers } = await expect(200, 'author', 'GET', '/policy');
  await expect(304, 'author', 'GET', '/policy', undefined, { 'if-none-match': headers.etag });
  for (const place of ['/policy', '/policy/history']) {
    await expect(401, 'anonymous', 'GET', place);
    await expect(403, 'subscriber', 'GET', place);
  }
  for (const method of WRITES) {
    await expect(401, 'anonymous', method, '/policy', {});
    await expect(403, 'editor', method, '/policy', {});
    await expect(400, 'administrator', method, '/policy', {});
    await expect(412, 'administrator', method, '/policy', { tags: {} }, { 'if-match': '"x"' });
    await expect(409, 'administrator', method, '/policy', { events: { editor: 'review', approvals: 9 } });
    await expect(200, 'administrator', method, '/policy', { events: { editor: 'direct' } });
  }
  const history = await expect(200, 'administrator', 'GET', '/policy/history');
  await expect(304, 'administrator', 'GET', '/policy/history', undefined, { 'if-none-match': history.headers.etag });
  await expect(404, 'administrator', 'GET', '/policy/history?page=99');
  for (const [collection, body, other, revision] of REVIEWED) {
    const isTerm = collection === 'categories' || collection === 'tags';
    const { id, slug } = await daybook.created('administrator', collection, body);
    await expect(200, 'administrator', 'POST', `/${collection}/${id}`, { description: 'first' });
    await expect(200, 'administrator', 'PUT', '/policy', { [collection]: { editor: 'review' } });
    const places = [`/${collection}/${id}`, ...(isTerm ? [] : [`/${collection}/by-slug/${slug}`])];
    await expect(202, 'editor', 'POST', `/${collection}`, other);
    await expect(202, 'editor', 'POST', `/${collection}/${id}/revert`, { revision });
    for (const place of places) {
      for (const method of WRITES) await expect(202, 'editor', method, place, { description: method });
      await expect(202, 'editor', 'DELETE', place);
    }
    await expect(200, 'administrator', 'DELETE', `/${collection}/${id}`);
    const trashed = isTerm ? [] : [`/${collection}/${id}`, `/${collection}/by-slug/${slug}__trashed`];
    for (const place of trashed)
      for (const method of WRITES) await expect(409, 'editor', method, place, { description: 'again' });
    await expect(200, 'administrator', 'PUT', '/policy', { [collection]: { editor: 'direct' } });
  }
});

const OPERATIONS: readonly { readonly method: string; readonly path: string; readonly operation: Body }[] =
  Object.entries<Body>(document.paths).flatMap(([path, item]) =>
    Object.entries<Body>(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

const SOME_EVENT = '5e0c5ae9-7f3b-4a76-8a9b-4b3fd3f3a001';

/** Of something that there is none of. */
const placeOf = (path: string): string =>
  path
    .replaceAll(/\{(?:id|credential)\}/g, '1')
    .replace('{slug}', 'none')
    .replace('{event}', SOME_EVENT);

test('what any request may meet is as documented everywhere', async () => {
  for (const { method, path } of OPERATIONS) {
    const place = placeOf(path) === '/' ? '' : placeOf(path);
    await expect(400, 'editor', method, place, '{', { 'content-type': 'application/json' });
    await expect(400, 'editor', method, `${place}?_jsonp=x`);
    await expect(414, 'editor', method, `${place}?x=${'x'.repeat(17_000)}`);
    await expect(413, 'editor', method, place, Buffer.alloc(1_100_000, 'x'), { 'content-type': 'text/plain' });
  }
});

test('unknown credentials are refused as documented', async () => {
  const authorization = `Basic ${Buffer.from('stranger:token').toString('base64')}`;
  await expect(401, 'anonymous', 'GET', '/events', undefined, { authorization });
});

/** What takes a broken network, store or program, or a single sign-on: their own tests do that. */
const NOT_HERE = /^(?:408|429|431|500|503)$/;
/** Answers that are everywhere the same: of credentials, of a single sign-on, of parked resources. Nor can the API erase personal data. */
const ELSEWHERE: ReadonlySet<string> = new Set(
  ['Error401', 'Error403', 'Error409', 'Error410.organizer-is-erased'].map((name) => `#/components/responses/${name}`),
);

test('every documented answer has been met', () => {
  const documented = OPERATIONS.flatMap(({ method, path, operation }) =>
    Object.entries<Body>(operation.responses)
      .filter(([status, { $ref }]) => !NOT_HERE.test(status) && !ELSEWHERE.has($ref))
      .map(([status]) => `${method} ${path} ${status}`),
  );
  assert.equal(
    documented.filter((name) => !daybook.check.met.has(name)),
    [],
  );
});

test.after(() => daybook.close());
test.run();
