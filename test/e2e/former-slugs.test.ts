// Addresses by former slugs: they lead on for good, tell nothing of what is hidden, and are taken by nothing automatically.
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allProjections } from '../../projections/catalogue.ts';
import { postOfSlug } from '../../src/calendar/resource/queries/find-by-slug.ts';
import { slugOwners } from '../../src/commands/reservations/slugs.ts';
import { documentsFromLog } from '../../src/queries/log-fallback.ts';
import { startRedisServer } from '../support/redis-server.ts';
import {
  type Answer,
  type As,
  type Body,
  ROOT,
  someEvent,
  startTestService,
  type TestService,
  temporaryFolder,
} from '../support/service.ts';

interface Context {
  daybook: TestService;
  folder: string;
  stop(): Promise<void>;
}

const DAY = 86_400;
const led = ({ status, headers }: Answer): readonly [number, string | undefined] => [status, headers.location];
const rename = (daybook: TestService, { id }: Body, slug: string, collection = 'events'): Promise<Answer> =>
  daybook.request('editor', 'PATCH', `/${collection}/${id}`, { slug });
const fair = (daybook: TestService, fields: object = {}): Promise<Body> =>
  daybook.created('editor', 'events', someEvent({ title: 'Spring fair', ...fields }));

for (const [where, start] of [
  ['SQLite', null],
  ['Redis', startRedisServer],
] as const) {
  const test = suite<Context>(`former slugs with ${where}`);
  /** What the log alone decides is tried beside one read model. */
  const once: typeof test | (() => void) = start === null ? test : () => {};

  test.before.each(async (context) => {
    const { folder, remove } = temporaryFolder();
    const redis = await start?.();
    const daybook = await startTestService({
      environment: {
        DAYBOOK_EVENT_STORE: `sqlite:${path.join(folder, 'log.db')}`,
        ...(redis && { DAYBOOK_READ_MODEL: redis.url }),
      },
    });
    const stop = async () => {
      await daybook.close();
      await redis?.stop();
      remove();
    };
    Object.assign(context, { daybook, folder, stop });
  });
  test.after.each(({ stop }) => stop());

  test('they lead to the page and the answer of today, by GET and HEAD alone, also after a rebuild', async ({
    daybook,
    folder,
  }) => {
    const event = await fair(daybook);
    await rename(daybook, event, 'summer-fair');
    await rename(daybook, event, 'autumn-fair');
    const asked = async (service: TestService) => {
      for (const slug of ['spring-fair', 'summer-fair', 'Spring%20Fair'])
        for (const method of ['GET', 'HEAD']) {
          const ask = (target: string) => service.request('anonymous', method, target);
          assert.equal(led(await ask(`//event/${slug}/?_locale=de`)), [301, '/event/autumn-fair/?_locale=de']);
          assert.equal(led(await ask(`/events/by-slug/${slug}?_fields=id`)), [
            301,
            `${ROOT}/events/by-slug/autumn-fair?_fields=id`,
          ]);
        }
    };
    await asked(daybook);
    const { body, headers } = await daybook.get('/events/by-slug/spring-fair');
    assert.is(body.code, 'rest_slug_changed');
    assert.match(headers['cache-control'] ?? '', 'no-');
    assert.is((await daybook.request('editor', 'PATCH', '/events/by-slug/spring-fair', { title: 'x' })).status, 404);
    assert.is((await daybook.request('editor', 'DELETE', '/events/by-slug/spring-fair')).status, 400);
    assert.is((await daybook.get('/events/by-slug/autumn-fair')).body.id, event.id);
    const anew = await startTestService({
      environment: { DAYBOOK_EVENT_STORE: `sqlite:${path.join(folder, 'log.db')}` },
      copiedFrom: daybook,
    });
    await asked(anew);
    await anew.close();
  });

  once('for a year no other resource gets one by its title, and any by its name', async ({ daybook }) => {
    const event = await fair(daybook);
    await rename(daybook, event, 'summer-fair');
    assert.is((await fair(daybook)).slug, 'spring-fair-2');
    daybook.clock.at += 364 * DAY;
    assert.is((await fair(daybook)).slug, 'spring-fair-3');
    assert.equal(led(await daybook.get('//event/spring-fair/')), [301, '/event/summer-fair/']);
    const named = await fair(daybook, { slug: 'spring-fair' });
    assert.is(named.slug, 'spring-fair');
    assert.is((await daybook.get('/events/by-slug/spring-fair')).body.id, named.id);
    assert.is((await daybook.get('//event/spring-fair/')).status, 200);
    const other = await fair(daybook, { title: 'Market' });
    await rename(daybook, other, 'bazaar');
    assert.is((await rename(daybook, other, 'market')).body.slug, 'market', 'its own former one');
    await rename(daybook, other, 'bazaar');
    daybook.clock.at += 367 * DAY;
    assert.is((await fair(daybook, { title: 'Market' })).slug, 'market', 'later it is free');
  });

  once('the bin frees a slug at once, and what comes back leads on again', async ({ daybook }) => {
    const event = await fair(daybook);
    await rename(daybook, event, 'summer-fair');
    await daybook.request('editor', 'DELETE', `/events/${event.id}`);
    assert.is((await daybook.get('//event/spring-fair/')).status, 404);
    assert.is((await daybook.get('/events/by-slug/spring-fair')).status, 400);
    await daybook.request('editor', 'PATCH', `/events/${event.id}`, { status: 'publish' });
    assert.equal(led(await daybook.get('//event/spring-fair/')), [301, '/event/summer-fair/']);
    const market = await fair(daybook, { title: 'Market' });
    await daybook.request('editor', 'DELETE', `/events/${market.id}`);
    assert.is((await fair(daybook, { title: 'Market' })).slug, 'market');
  });

  test('what a caller may not read, or could not when it had the slug, is as if it were not there', async ({
    daybook,
  }) => {
    const secret = await fair(daybook, { slug: 'secret-name', status: 'draft' });
    await rename(daybook, secret, 'open-name');
    await daybook.request('editor', 'PATCH', `/events/${secret.id}`, { status: 'publish' });
    const nothing = async (as: As, slug: string) => {
      for (const [method, body] of [['GET'], ['HEAD'], ['OPTIONS'], ['DELETE'], ['PATCH', { title: 'x' }]] as const) {
        const [one, none] = await Promise.all(
          [slug, 'no-such-thing'].map(async (name) => {
            const { status, text, headers } = await daybook.request(as, method, `/events/by-slug/${name}`, body);
            return [status, text, headers.location, headers.allow];
          }),
        );
        assert.equal(one, none, `${as} ${method} ${slug}`);
      }
      const page = await daybook.get(`//event/${slug}/`);
      assert.is(page.status, 404);
      assert.is(page.text, (await daybook.get('//event/no-such-thing/')).text);
    };
    await nothing('anonymous', 'secret-name');
    assert.equal(led(await daybook.get('/events/by-slug/secret-name', 'editor')), [
      301,
      `${ROOT}/events/by-slug/open-name`,
    ]);
    // It was public once, and is not any more.
    const withdrawn = await fair(daybook, { title: 'Withdrawn' });
    await rename(daybook, withdrawn, 'withdrawn-2');
    await daybook.request('editor', 'PATCH', `/events/${withdrawn.id}`, { status: 'draft' });
    for (const as of ['anonymous', 'subscriber', 'contributor', 'author'] as const)
      for (const slug of ['withdrawn', 'withdrawn-2']) await nothing(as, slug);
    assert.is((await daybook.get('/events/by-slug/withdrawn-2', 'editor')).status, 200);
    await rename(daybook, withdrawn, 'withdrawn-3');
    await daybook.request('editor', 'PATCH', `/events/${withdrawn.id}`, { status: 'publish' });
    assert.equal(led(await daybook.get('//event/withdrawn-2/')), [301, '/event/withdrawn-3/'], 'it was public as that');
    // A hidden one that takes the slug by name changes nothing for strangers.
    const event = await fair(daybook);
    await rename(daybook, event, 'summer-fair');
    await fair(daybook, { slug: 'spring-fair', status: 'draft' });
    assert.equal(led(await daybook.get('//event/spring-fair/')), [301, '/event/summer-fair/']);
    assert.is((await daybook.get('/events/by-slug/spring-fair', 'editor')).body.status, 'draft');
  });

  once('a draft of the same slug stands in the way of no published event', async ({ daybook }) => {
    const draft = await fair(daybook, { slug: 'other', status: 'draft' });
    const event = await fair(daybook, { title: 'Gala' });
    assert.is((await rename(daybook, draft, 'gala')).body.slug, 'gala');
    assert.is((await daybook.get('//event/gala/')).status, 200);
    assert.is((await daybook.get('/events/by-slug/gala')).body.id, event.id);
  });

  test('venues, organizers, categories and tags lead on as well, through merges too', async ({ daybook }) => {
    for (const [collection, name, folder] of [
      ['venues', 'venue', 'venue'],
      ['organizers', 'organizer', 'organizer'],
      ['categories', 'name', 'events/category'],
      ['tags', 'name', 'tag'],
    ] as const) {
      const isPost = collection === 'venues' || collection === 'organizers';
      const make = (title: string) =>
        daybook.created('editor', collection, { [name]: title, ...(isPost && { status: 'publish' }) });
      const stays = await make('Town Hall');
      const goes = await make('Old Hall');
      // Venues and organizers are renamed by their slug alone.
      const path = isPost ? `by-slug/${goes.slug}` : goes.id;
      assert.is((await rename(daybook, { id: path }, 'older-hall', collection)).body.slug, 'older-hall', collection);
      const to = async (slug: string) => led(await daybook.get(`//${folder}/${slug}/?when=today`));
      assert.equal(await to('old-hall'), [301, `/${folder}/older-hall/?when=today`], collection);
      assert.is((await make('Old  hall!')).slug, 'old-hall-2', collection);
      const merged = await daybook.request('editor', 'POST', `/${collection}/${goes.id}/merge`, { into: stays.id });
      assert.is(merged.status, 200, merged.text);
      for (const slug of ['old-hall', 'older-hall'])
        assert.equal(await to(slug), [301, `/${folder}/town-hall/?when=today`], `${collection} ${slug}`);
      await rename(daybook, { id: isPost ? `by-slug/${stays.slug}` : stays.id }, 'guildhall', collection);
      for (const slug of ['old-hall', 'older-hall', 'town-hall'])
        assert.equal(await to(slug), [301, `/${folder}/guildhall/?when=today`], `${collection} ${slug}`);
    }
    const [above, below] = [
      await daybook.created('editor', 'categories', { name: 'Music' }),
      await daybook.created('editor', 'categories', { name: 'Choirs' }),
    ];
    await daybook.request('editor', 'PATCH', `/categories/${below.id}`, { parent: above.id });
    assert.equal(led(await daybook.get('//events/category/choirs/')), [301, '/events/category/music/choirs/']);
  });

  once('a date of a series leads on, and its series gives the slug to no other date', async ({ daybook }) => {
    await daybook.created('editor', 'events', {
      ...someEvent({ title: 'Choir' }),
      recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' },
    });
    const { events } = (await daybook.get('/events?search=choir')).body;
    const [first] = events;
    assert.is(first.slug, 'choir-2026-12-21');
    await rename(daybook, first, 'gala');
    assert.equal(led(await daybook.get('//event/choir-2026-12-21/')), [301, '/event/gala/']);
    const taken = await fair(daybook, { title: 'Choir 2026-12-21' });
    assert.is(taken.slug, 'choir-2026-12-21-2');
  });

  test('the log answers like the read model', async ({ daybook }) => {
    const event = await fair(daybook);
    await rename(daybook, event, 'summer-fair');
    const draft = await fair(daybook, { title: 'Quiet', slug: 'quiet', status: 'draft' });
    await rename(daybook, draft, 'spring-fair');
    const { store, readModel, rendering } = daybook.stores;
    const log = documentsFromLog(store, allProjections(rendering), slugOwners(store));
    await daybook.get(`/events/${event.id}`);
    for (const slug of ['spring-fair', 'summer-fair', 'quiet', 'none', '!'])
      assert.equal(await postOfSlug(log, 'event', slug, null), await postOfSlug(readModel, 'event', slug, null), slug);
    const found = await postOfSlug(log, 'event', 'spring-fair', null);
    assert.is(found && 'moved' in found && found.moved.id, event.id);
  });

  test.run();
}
