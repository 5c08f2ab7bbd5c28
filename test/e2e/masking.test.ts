// Wherever something under a password can come into sight: who sees it there, and that the others see it masked or not at
// all. Each of its texts bears one word that stands nowhere else.
import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hashPassword } from '../../src/people/auth/passwords.ts';
import { type As, NOON, PREFIX, someEvent, startTestService } from '../support/service.ts';

const test = suite('what a password hides, wherever it may appear');
const daybook = await startTestService();

const ALL_CALLERS: readonly As[] = [
  'anonymous',
  'subscriber',
  'contributor',
  'otherAuthor',
  'author',
  'editor',
  'administrator',
];
const OUTSIDE: readonly As[] = ['anonymous', 'subscriber', 'contributor', 'otherAuthor'];
/** The author of what is hidden, and who may edit all of it. */
const KEEPERS: readonly As[] = ['author', 'editor', 'administrator'];

const WORD = 'zyxhidden';
const SECRET = 'sesame';
const image = `https://img.example/${WORD}.png`;
const contact = { description: `Tells ${WORD}`, website: `https://${WORD}.example`, phone: `${WORD} 1`, image };

/** Venues and organizers get their passwords from elsewhere than the API. */
async function lock(kind: 'venue' | 'organizer', id: number): Promise<void> {
  const stream = `${kind}-${id}`;
  const events = await daybook.store.readStream(stream);
  const metadata = {
    actor: { id: null, name: 'test' },
    instant: new Date(NOON * 1000).toISOString(),
    correlationId: 'lock',
    causationId: 'lock',
  };
  const type = kind === 'venue' ? 'VenuePasswordSet' : 'OrganizerPasswordSet';
  const fact = { id: randomUUID(), type, schemaVersion: 1, data: { hash: await hashPassword(SECRET) }, metadata };
  await daybook.store.append([{ stream, expected: events.length - 1, events: [fact] }]);
}

const address = { address: `${WORD} street`, city: `${WORD} town`, state: `${WORD} state`, zip: WORD, country: WORD };
const hall = await daybook.created('author', 'venues', {
  venue: 'Locked hall',
  ...contact,
  ...address,
  geo_lat: 10,
  geo_lng: 10,
});
const host = await daybook.created('author', 'organizers', {
  organizer: 'Locked host',
  ...contact,
  email: `${WORD}@example.org`,
});
await lock('venue', hall.id);
await lock('organizer', host.id);
const shared = { start_date: '2026-12-21 10:00:00', end_date: '2026-12-21 12:00:00' };
const open = await daybook.created('author', 'events', {
  title: 'Open evening',
  ...shared,
  venue: hall.id,
  organizer: host.id,
});
const cellar = await daybook.created('author', 'venues', { venue: `Cellar ${WORD}` });
const locked = await daybook.created('author', 'events', {
  ...{ title: 'Locked evening', ...shared, description: `Tells ${WORD}`, excerpt: WORD, cost: `${WORD}`, image },
  ...{ website: contact.website, venue: cellar.id, organizer: { organizer: `Host ${WORD}` }, password: SECRET },
  ...{ tags: [`tag-${WORD}`], categories: [`Category ${WORD}`] },
});
daybook.clock.at += 3_600;
const then = new Date((daybook.clock.at - 1) * 1000).toISOString();

/** Where one looks, who sees what is hidden there, and what all others are told instead. */
type Place = readonly [target: string, seers: readonly As[], otherwise: 'masked' | 'absent' | number];

const [byId, bySlug] = [`/events/${locked.id}`, `/events/by-slug/${locked.slug}`];
const NO_CALLER: readonly As[] = [];

const EVENT: readonly Place[] = [
  ...[byId, bySlug, `${byId}.ics`].flatMap((target): Place[] => [
    [target, NO_CALLER, 403],
    [`${target}?password=wrong`, NO_CALLER, 403],
    [`${target}?context=edit`, KEEPERS, 403],
    [`${target}?password=${SECRET}`, ALL_CALLERS, 403],
    [target, NO_CALLER, 403],
  ]),
  ...['/events', '/events.ics'].flatMap((list): Place[] => [
    [`${list}?include=${locked.id}`, NO_CALLER, 'masked'],
    [`${list}?include=${locked.id}&context=edit`, NO_CALLER, 'masked'],
    [`${list}?include=${locked.id}&password=wrong`, NO_CALLER, 'masked'],
    [`${list}?include=${locked.id}&password=${SECRET}`, ALL_CALLERS, 'masked'],
    [`${list}?include=${locked.id}`, NO_CALLER, 'masked'],
    [`${list}?venue=${cellar.id}`, NO_CALLER, 'masked'],
  ]),
  ['/events.rss', NO_CALLER, 'masked'],
  ['/events.atom', NO_CALLER, 'masked'],
  [`/events.rss?password=${SECRET}`, NO_CALLER, 'masked'],
  [`/events?include=${locked.id}&_fields=events,total`, NO_CALLER, 'masked'],
  [`/events?include=${locked.id}&_envelope`, NO_CALLER, 'masked'],
  [`${byId}?revision=0`, KEEPERS, 403],
  [`${byId}?as_of=${then}`, KEEPERS, 403],
  [`${bySlug}?as_of=${then}`, KEEPERS, 403],
  [`${byId}?as_of=${then}&password=${SECRET}`, KEEPERS, 403],
  [`${byId}/history`, KEEPERS, 403],
];

const LINKED: readonly Place[] = (
  [
    ['venues', hall],
    ['organizers', host],
  ] as const
).flatMap(([collection, { id, slug }]): Place[] => [
  [`/${collection}/${id}`, NO_CALLER, 'masked'],
  [`/${collection}/${id}?password=wrong`, NO_CALLER, 'masked'],
  [`/${collection}/${id}?context=edit`, NO_CALLER, 'masked'],
  [`/${collection}/${id}?password=${SECRET}`, ALL_CALLERS, 'masked'],
  [`/${collection}/${id}`, NO_CALLER, 'masked'],
  [`/${collection}/by-slug/${slug}`, NO_CALLER, 'masked'],
  [`/${collection}/by-slug/${slug}?password=${SECRET}`, ALL_CALLERS, 'masked'],
  [`/${collection}/${id}?revision=1`, KEEPERS, 403],
  [`/${collection}/${id}?as_of=${then}`, KEEPERS, 403],
  [`/${collection}/${id}/history`, KEEPERS, 403],
  [`/${collection}?event=${open.id}`, NO_CALLER, 'masked'],
  [`/${collection}?event=${open.id}&password=${SECRET}`, ALL_CALLERS, 'masked'],
  [`/${collection}?event=${open.id}`, NO_CALLER, 'masked'],
]);

const EMBEDDED: readonly Place[] = [
  [`/events/${open.id}`, NO_CALLER, 'masked'],
  [`/events/${open.id}?context=edit`, NO_CALLER, 'masked'],
  [`/events/by-slug/${open.slug}`, NO_CALLER, 'masked'],
  [`/events?include=${open.id}`, NO_CALLER, 'masked'],
  [`/events/${open.id}.ics`, NO_CALLER, 'masked'],
  [`/events.ics?include=${open.id}`, NO_CALLER, 'masked'],
  [`/events/${open.id}?as_of=${then}`, NO_CALLER, 'masked'],
  [`/events/${open.id}/history`, NO_CALLER, 403],
];

async function look(as: As, target: string): Promise<{ readonly status: number; readonly text: string }> {
  const authorization = as === 'anonymous' ? {} : { authorization: daybook.authorization(as) };
  const headers = { host: 'cal.example', ...authorization };
  const { statusCode, payload } = await daybook.service.app.inject({ url: PREFIX + target, headers });
  // Links repeat what was asked.
  const links = /"(?:rest_url|next_rest_url|previous_rest_url)":"[^"]*"/g;
  return { status: statusCode, text: payload.replaceAll('\r\n ', '').replace(links, '') };
}

async function walk(places: readonly Place[], name: RegExp): Promise<void> {
  for (const [target, seers, otherwise] of places)
    for (const as of ALL_CALLERS) {
      const { status, text } = await look(as, target);
      const what = `${as}: ${target} answers ${status} ${text.slice(0, 200)}`;
      assert.is(text.includes(WORD), seers.includes(as), what);
      assert.not.match(text, SECRET, what);
      if (seers.includes(as)) continue;
      if (typeof otherwise === 'number')
        assert.ok(status === otherwise || status === 401 || KEEPERS.includes(as), what);
      else assert.equal([status, name.test(text)], [200, otherwise === 'masked'], what);
    }
}

test('an event', () => walk(EVENT, /Locked evening/));
test('a venue and an organizer', () => walk(LINKED, /Locked h(?:all|ost)/));
test('a venue and an organizer within an event', () => walk(EMBEDDED, /Open evening/));

test('a protected venue shows its name and no address or phone', async () => {
  for (const { venue, organizer } of [
    (await daybook.get(`/events/${open.id}`)).body,
    (await daybook.get(`/events?include=${open.id}`, 'editor')).body.events[0],
  ]) {
    assert.equal([venue.venue, organizer[0].organizer], ['Locked hall', 'Locked host']);
    for (const name of [
      'address',
      'city',
      'state',
      'zip',
      'country',
      'phone',
      'website',
      'description',
      'stateprovince',
    ])
      assert.is(venue[name] ?? '', '', name);
    assert.equal([venue.image, venue.geo_lat, venue.geo_lng, venue.show_map], [false, 0, 0, null]);
    assert.equal([organizer[0].email, organizer[0].phone, organizer[0].website], ['', '', '']);
  }
  const { json_ld: ld } = (await daybook.get(`/events/${open.id}`)).body;
  assert.equal([ld.location, ld.organizer], [undefined, undefined]);
});

test('protected content is found only by callers who may edit it', async () => {
  for (const as of ALL_CALLERS) {
    const total = async (target: string): Promise<number> => (await daybook.get(target, as)).body.total;
    const found = KEEPERS.includes(as) ? 1 : 0;
    assert.is(await total(`/events?search=${WORD}`), found, `${as} searches events`);
    assert.is(await total(`/events?search=${WORD}&as_of=${then}`), 0, `${as} searches the past`);
    assert.is(await total('/venues?search=street'), 0, `${as} searches venues`);
    assert.is(await total('/organizers?search=example'), 0, `${as} searches organizers`);
    assert.is(await total('/venues?search=locked'), 1, 'its name is no secret');
    assert.is(await total('/events?geoloc_lat=10&geoloc_lng=10'), 0, `${as} looks around`);
    assert.is(
      (await look(as, `/events.ics?search=${WORD}`)).text.includes('Locked evening'),
      found === 1,
      `${as}: calendar`,
    );
  }
});

test('changes reveal nothing of it to other readers', async () => {
  for (const as of OUTSIDE) {
    const { text } = await look(as, '/changes?per_page=100&types=event,venue,organizer');
    assert.not.match(text, WORD, as);
  }
});

test('an editor and the public asking in turn get each their own, however often', async () => {
  const targets = [
    `/events?include=${locked.id}`,
    byId,
    `${byId}.ics`,
    `/venues/${hall.id}`,
    '/venues?search=locked',
    '/events',
  ];
  for (const target of targets) {
    const also = `${target}${target.includes('?') ? '&' : '?'}`;
    const before = await look('anonymous', target);
    for (let round = 0; round < 3; round++) {
      await look('editor', `${also}context=edit`);
      await look('editor', `${also}password=${SECRET}`);
      await look('anonymous', `${also}password=${SECRET}`);
      await look('author', target);
      assert.equal(await look('anonymous', target), before, target);
    }
    assert.not.match(before.text, WORD);
  }
});

test('a write by an editor is answered with all of it', async () => {
  for (const as of KEEPERS) {
    const { body } = await daybook.request(as, 'PUT', byId, { featured: true });
    assert.equal([body.excerpt, body.venue.venue], [`<p>${WORD}</p>`, `Cellar ${WORD}`], as);
    const written = await daybook.request(as, 'PUT', `/events/${open.id}`, { featured: true });
    assert.not.match(written.text, WORD, `${as}: what it embeds stays masked`);
  }
});

test('a creation that is sent again with its key shows what it has become as a read would', async () => {
  const key = { 'idempotency-key': 'once' };
  const send = () => daybook.request('contributor', 'POST', '/events', someEvent({ title: 'Mine' }), key);
  const { body } = await send();
  assert.is((await send()).body.id, body.id);
  const change = (members: object) => daybook.request('editor', 'PUT', `/events/${body.id}`, members);
  await change({ status: 'publish', description: `Now ${WORD}`, password: SECRET });
  const masked = await send();
  assert.equal([masked.status, masked.body.id, masked.body.description], [201, body.id, '']);
  await change({ password: '', status: 'draft', author: daybook.userId('author') });
  const refused = await send();
  assert.equal([refused.status, refused.body.code], [403, 'rest_forbidden']);
  await change({ status: 'publish' });
  assert.is((await send()).body.description, `<p>Now ${WORD}</p>`, 'what every caller may read');
});

test('a name is no way to a venue or organizer that the caller may not read', async () => {
  for (const [collection, member] of [
    ['venues', 'venue'],
    ['organizers', 'organizer'],
  ] as const) {
    const closed = await daybook.created('author', collection, {
      [member]: 'Secret place',
      ...contact,
      status: 'draft',
    });
    const name = `Locked ${member === 'venue' ? 'hall' : 'host'}`;
    for (const as of ['contributor', 'otherAuthor'] as const) {
      const answer = await daybook.request(as, 'POST', `/${collection}`, { [member]: 'Secret place', status: 'draft' });
      assert.ok(answer.status === 201 && answer.body.id !== closed.id, `${as}: one of their own`);
      assert.not.match(answer.text, WORD);
      const met = await daybook.request(as, 'POST', `/${collection}`, { [member]: name });
      assert.equal([met.status, met.body[member]], [201, name]);
      assert.not.match(met.text, WORD, `${as} comes upon it masked`);
    }
    const { body } = await daybook.request('editor', 'POST', `/${collection}`, { [member]: 'Secret place' });
    assert.is(body.id, closed.id, 'who may read it comes upon it');
  }
});

test.after(() => daybook.close());
test.run();
