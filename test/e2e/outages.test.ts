// The views down: reads answer 503, writes go on and say that views lag. Back: everything catches up by itself.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  begin,
  caughtUp,
  end,
  isRefusal,
  lastPosition,
  linesOf,
  type OutageContext,
  POSITION,
  reads,
  send,
  type Write,
  writes,
} from '../support/outage-calendar.ts';
import { type Body, someEvent } from '../support/service.ts';

const test = suite<OutageContext>('views that are away');
test.before.each(begin);
test.after.each(end);

/** A body as views tell it, without what only single reads have and what the log does not know. */
function comparable(body: Body): Body {
  const keeps = ([name]: [string, unknown]): boolean => name !== 'json_ld' && name !== 'count';
  if (Array.isArray(body)) return body.map(comparable);
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(
    Object.entries(body)
      .filter(keeps)
      .map(([name, value]) => [name, comparable(value)]),
  );
}

/** Of one resource, which the log can tell of alone. */
const isSingle = (target: string): boolean => !target.includes('?');

test('a page that cannot be made says so in words for visitors', async ({ daybook, away }) => {
  away.down.views = true;
  const { status, headers, text } = await daybook.get('//', 'anonymous');
  assert.equal([status, headers['retry-after']], [503, '5']);
  assert.match(text, 'Please try again in a few seconds.');
  assert.not.match(text, 'Retry-After');
});

test('without a read model every list answers 503 with Retry-After, and single reads come from the log', async ({
  daybook,
  away,
  ids,
}) => {
  const before = new Map<string, Body>();
  for (const target of reads(ids).filter(isSingle)) before.set(target, (await daybook.get(target)).body);
  away.down.views = true;
  let refused = 0;
  for (const target of reads(ids))
    for (const as of ['anonymous', 'editor'] as const) {
      const answer = await daybook.get(target, as);
      if (isSingle(target)) {
        assert.is(answer.status, 200, `${as} ${target}`);
        assert.equal(comparable(answer.body), comparable(before.get(target)), target);
        continue;
      }
      refused += 1;
      isRefusal(answer, `${as} ${target}`);
    }
  assert.is(linesOf(daybook, 'request failed'), refused, 'one line for each');
  assert.is(linesOf(daybook, 'allowed methods could not be determined'), 0);
  assert.is((await daybook.get('')).status, 200, 'the index needs no views');
  const described = await daybook.request('editor', 'OPTIONS', `/events/${ids.gig}`);
  assert.equal([described.status, described.headers.allow], [200, 'GET, DELETE, POST, PUT, PATCH']);
  away.down.views = false;
  for (const target of reads(ids)) assert.is((await daybook.get(target, 'editor')).status, 200, target);
});

test('with the views down every write goes on and is shown once they are back', async ({ daybook, away, ids }) => {
  const all = writes(ids);
  const before = (await daybook.get(`/events/${ids.gig}`)).body;
  away.down.views = true;
  // One after the other would be less to think of, but each waits for views that do not come.
  const answers = await Promise.all(all.map((write) => send(daybook, write)));
  for (const [index, { status, headers, text }] of answers.entries()) {
    const what = `${all[index]?.slice(0, 2)} ${text}`;
    assert.is(status, all[index]?.[3], what);
    assert.equal([headers['x-daybook-views'], typeof headers[POSITION]], ['lagging', 'string'], what);
    assert.match(headers.etag ?? '', /^"\S+"$/, what);
  }
  assert.is(linesOf(daybook, 'request failed'), 0);
  assert.is(linesOf(daybook, 'allowed methods could not be determined'), 0);
  const [created, , relinked] = answers;
  assert.is(created?.body.venue.venue, 'Hall', 'what is embedded comes from the log');
  assert.equal(
    created?.body.categories.map(({ name }: Body) => name),
    ['Folk', 'Jazz'],
  );
  assert.equal([relinked?.body.venue.venue, relinked?.body.organizer[0].organizer], ['Barn', 'Choir']);
  assert.is(answers[11]?.body.url, 'http://cal.example/events/category/music/jazz/bebop/', 'ancestors, too');
  isRefusal(await daybook.get('/events'), 'lists stay away');
  away.down.views = false;
  await caughtUp(daybook, lastPosition(answers));
  assert.is.not((await daybook.get(`/events/${ids.gig}`)).body.title, before.title);
  for (const [index, [method, target]] of all.entries()) {
    const collection = target.split('/')[1];
    const { id } = answers[index]?.body ?? {};
    const now = await daybook.get(`/${collection}/${id}`, 'editor');
    if (collection === 'events' && method === 'DELETE') assert.is(now.status, 403, target);
    else if (method !== 'DELETE') assert.is(now.body.id, id, target);
  }
  const repeated = await daybook.request('editor', 'PATCH', `/events/${created?.body.id}`, { title: 'New' });
  assert.equal([repeated.status, repeated.headers['x-daybook-views']], [200, undefined]);
});

test('an answer made from the log is what the next read shows', async ({ daybook, away, ids }) => {
  const all: Write[] = [
    [
      'POST',
      '/events',
      someEvent({ title: 'New', venue: ids.hall, organizer: ids.band, tags: ['new', ids.loud] }),
      201,
    ],
    ['PATCH', `/events/${ids.show}`, { venue: { venue: 'Barn' }, categories: [ids.jazz] }, 200],
    ['POST', '/venues', { venue: 'Cellar', city: 'Bruges' }, 201],
    ['PATCH', '/organizers/by-slug/band', { website: 'https://band.example' }, 200],
    ['POST', '/categories', { name: 'Bebop', parent: ids.jazz }, 201],
  ];
  away.down.views = true;
  const answers = await Promise.all(all.map((write) => send(daybook, write)));
  away.down.views = false;
  await caughtUp(daybook, lastPosition(answers));
  for (const [index, [, target]] of all.entries()) {
    const collection = target.split('/')[1];
    const answer = answers[index];
    const now = await daybook.get(`/${collection}/${answer?.body.id}`, 'editor');
    // Two of them touch the same organizer, in an unknown order.
    const fixed = (body: Body): Body => ({ ...comparable(body), ...(collection === 'events' && { organizer: null }) });
    assert.equal(fixed(now.body), fixed(answer?.body), target);
  }
});

test('categories and tags are deleted with the views down', async ({ daybook, away, ids }) => {
  away.down.views = true;
  const all: Write[] = [
    ['DELETE', `/categories/${ids.jazz}`, undefined, 200],
    ['DELETE', `/tags/${ids.loud}`, undefined, 200],
  ];
  const [category, tag] = await Promise.all(all.map((write) => send(daybook, write)));
  const { name, parent, url } = category?.body ?? {};
  assert.equal([name, parent, url], ['Jazz', ids.music, 'http://cal.example/events/category/music/jazz/']);
  assert.equal([tag?.status, tag?.body.name, tag?.headers['x-daybook-views']], [200, 'Loud', 'lagging']);
  const gone = await daybook.request('editor', 'PATCH', `/tags/${ids.loud}`, { name: 'Again' });
  assert.is(gone.status, 400);
  away.down.views = false;
  await caughtUp(daybook, lastPosition([category, tag].flatMap((answer) => answer ?? [])));
  assert.is((await daybook.get(`/categories/${ids.jazz}`)).status, 400);
  assert.equal((await daybook.get(`/events/${ids.gig}`)).body.categories, []);
});

test('while views lag, what an answer embeds is as new as the answer itself', async ({ daybook, away, ids }) => {
  away.down.filling = true;
  const [, , created] = await Promise.all([
    daybook.request('editor', 'PATCH', `/venues/${ids.hall}`, { city: 'Antwerp' }),
    daybook.request('editor', 'PATCH', `/categories/${ids.jazz}`, { parent: ids.art }),
    daybook.request(
      'editor',
      'POST',
      '/events',
      someEvent({ title: 'Late', venue: { venue: 'Shed' }, tags: ['late'] }),
    ),
  ]);
  assert.equal([created?.status, created?.headers['x-daybook-views']], [201, 'lagging']);
  assert.equal([created?.body.venue.venue, created?.body.tags[0].name], ['Shed', 'late']);
  const { body } = await daybook.request('editor', 'PATCH', '/events/by-slug/late', {
    venue: ids.hall,
    categories: [ids.jazz],
  });
  assert.equal([body.title, body.venue.city], ['Late', 'Antwerp']);
  const [jazz] = body.categories;
  assert.equal([jazz.name, jazz.parent, jazz.count], ['Jazz', ids.art, 3]);
  away.down.filling = false;
});

test('counts are the last known ones', async ({ daybook, away, ids }) => {
  const counted = (body: Body): number[] => [...body.categories, ...body.tags].map(({ count }: Body) => count);
  await daybook.get('/events?per_page=9');
  away.down.views = true;
  const known = await daybook.request('editor', 'PATCH', `/events/${ids.gig}`, { title: 'Known' });
  assert.equal([known.status, counted(known.body)], [200, [3, 3]]);
});

test('without a read model an unknown slug is refused, and so is a released one', async (context) => {
  const { daybook, away } = context;
  away.down.views = true;
  const statuses = async (target: string): Promise<number[]> => {
    const methods = ['PATCH', 'DELETE'] as const;
    const answers = await Promise.all(methods.map((method) => daybook.request('editor', method, target, {})));
    return answers.map(({ status }) => status);
  };
  assert.equal(await statuses('/events/by-slug/nothing'), [404, 400]);
  assert.equal(await statuses('/venues/by-slug/nothing'), [400, 400]);
  assert.is((await daybook.request('editor', 'DELETE', '/events/by-slug/GIG')).status, 200, 'in any case');
  assert.equal(await statuses('/events/by-slug/gig'), [404, 400]);
  assert.is((await daybook.request('anonymous', 'DELETE', '/events/by-slug/show')).status, 401);
});

test.run();
