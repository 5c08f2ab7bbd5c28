// Imports over the API: dry run, import, refusals, mapping, rights, addresses, and what a restart says.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openJobLog } from '../../src/exchange/import/jobs/imports.ts';
import { signedIn } from '../support/desk.ts';
import { holdingAppends } from '../support/held-appends.ts';
import { type As, type Body, startTestService, type TestService } from '../support/service.ts';

interface Context {
  daybook: TestService;
  server: Server;
  origin: string;
}

const test = suite<Context>('imports over HTTP');

const TABLE = [
  'title,start,venue,status',
  'Concert,2027-06-18 19:30,Town hall,publish',
  'Lecture,2027-06-19 18:00,Library,publish',
  'Nothing,not a day,Library,publish',
].join('\n');

const CALENDAR = [
  ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:test', 'BEGIN:VEVENT', 'UID:fair@example', 'DTSTAMP:20270101T000000Z'],
  ...['DTSTART:20270801T100000Z', 'DTEND:20270801T120000Z', 'SUMMARY:Fair', 'END:VEVENT', 'END:VCALENDAR', ''],
].join('\r\n');

test.before(async (context) => {
  context.daybook = await startTestService({ environment: { DAYBOOK_IMPORT_NETWORK: 'any' } });
  context.server = createServer((request, response) => {
    if (request.url === '/to-the-moon') response.writeHead(302, { location: 'file:///etc/passwd' }).end();
    else response.writeHead(200, { 'content-type': 'text/calendar' }).end(CALENDAR);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => context.server.once('listening', resolve));
  context.origin = `http://127.0.0.1:${(context.server.address() as AddressInfo).port}`;
});
test.after(async ({ daybook, server }) => {
  server.close();
  await daybook.close();
});

const begin = ({ request }: TestService, body: object, as: As = 'editor') => request(as, 'POST', '/imports', body);

/** The import when it has ended. */
async function ended({ get }: TestService, id: number, as: As = 'editor'): Promise<Body> {
  for (;;) {
    const { body } = await get(`/imports/${id}`, as);
    if (body.ended !== null) return body;
    await sleep(20);
  }
}

async function imported(daybook: TestService, body: object, as?: As): Promise<Body> {
  const begun = await begin(daybook, body, as);
  assert.is(begun.status, 201, begun.text);
  return ended(daybook, begun.body.id, as);
}

test('a dry run says what would be created and what is refused, by line, and writes nothing', async ({ daybook }) => {
  const head = await daybook.store.head();
  const job = await imported(daybook, { file: TABLE, name: 'dry.csv', dry_run: true });
  assert.equal([job.state, job.dry_run, job.source, job.records], ['done', true, 'dry.csv', 3]);
  assert.equal([job.counts.events.created, job.counts.events.refused, job.counts.venues.created], [2, 1, 2]);
  const rows = job.rows.filter(({ kind }: Body) => kind === 'event');
  assert.equal(rows[0], {
    ...{ kind: 'event', name: 'Concert', outcome: 'created', start: '2027-06-18 19:30:00', line: 2 },
    changes: [],
  });
  const [{ kind, name, file, line }] = job.refused;
  assert.equal([kind, name, file, line], ['event', 'Nothing', 'dry.csv', 4]);
  assert.is(await daybook.store.head(), head);
  assert.not(
    job.remarks.some((remark: string) => remark.includes('/')),
    'no path of this machine',
  );
});

test('rows are told in the order of their source, whichever is decided first', async ({ daybook }) => {
  const lines = Array.from({ length: 24 }, (_, at) => {
    const hall = at % 3 === 0 ? `Hall ${at}` : '';
    return `Row ${at},2027-07-${String((at % 28) + 1).padStart(2, '0')} 10:00,${hall}`;
  });
  const job = await imported(daybook, {
    file: `title,start,venue\n${lines.join('\n')}\n`,
    name: 'order.csv',
    dry_run: true,
  });
  const told = job.rows.filter(({ kind }: Body) => kind === 'event').map(({ line }: Body) => line);
  assert.equal(
    told,
    [...lines.keys()].map((at) => at + 2),
  );
});

test('what a dry run has read is imported, as its user, with the same result; twice is once', async ({ daybook }) => {
  const dry = await imported(daybook, { file: TABLE, name: 'real.csv', dry_run: true });
  const job = await imported(daybook, { from: dry.id });
  assert.equal([job.state, job.done, job.total], ['done', 4, 4]);
  assert.equal(job.counts.events, dry.counts.events);
  const { body } = await daybook.get('/events?search=Concert', 'editor');
  assert.is(body.events.length, 1);
  const [event] = body.events;
  assert.equal([Number(event.author), event.venue.venue], [daybook.userId('editor'), 'Town hall']);
  const [entry] = (await daybook.get(`/events/${event.id}/history`, 'editor')).body.history;
  assert.equal([entry.actor.name, entry.correlation_id], ['editor', job.correlation_id]);
  const again = await imported(daybook, { file: TABLE, name: 'real.csv' });
  assert.equal([again.counts.events.created, again.counts.events.unchanged], [0, 2]);
  const other = await imported(daybook, { file: TABLE, name: 'real.csv' }, 'administrator');
  assert.is(other.counts.events.created, 0, 'what one user has imported, another one finds again');
  const { body: back } = await daybook.request('editor', 'POST', '/reverts', { import: job.correlation_id });
  assert.equal([back.complete, back.done], [true, 4]);
});

test('an import has ended once its end is recorded, not before', async () => {
  const asked = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const daybook = await startTestService({
    wrap: holdingAppends(async (appends, append) => {
      if (appends.some(({ events }) => events.some(({ type }) => type === 'ImportEnded'))) {
        asked.resolve();
        await goOn.promise;
      }
      return append(appends);
    }),
  });
  const { body } = await begin(daybook, { file: TABLE, name: 'slow.csv' });
  await asked.promise;
  const { body: meanwhile } = await daybook.get(`/imports/${body.id}`, 'editor');
  assert.equal([meanwhile.state, meanwhile.ended], ['writing', null]);
  goOn.resolve();
  assert.is((await ended(daybook, body.id)).state, 'done');
  await daybook.close();
});

test('a dry run says which fields it would change, from what to what; also of the dates of a series', async ({
  daybook,
}) => {
  const table = (title: string, venue: string): string =>
    `uid,title,start,venue,description\nk-1,${title},2027-09-01 19:30,${venue},${'long '.repeat(400)}${title}\n`;
  await imported(daybook, { file: table('Small concert', 'Old hall'), name: 'kept.csv' });
  const changed = { file: table('Great concert', 'New hall'), name: 'kept.csv' };
  const head = await daybook.store.head();
  const dry = await imported(daybook, { ...changed, dry_run: true });
  assert.is(await daybook.store.head(), head);
  const changesIn = ({ rows }: Body) =>
    Object.fromEntries(
      rows.find(({ outcome }: Body) => outcome === 'changed').changes.map((one: Body) => [one.field, one]),
    );
  const { title, venue, description, ...others } = changesIn(dry);
  assert.equal([title.before, title.after], ['Small concert', 'Great concert']);
  assert.equal(title.words, [
    { change: 'removed', text: 'Small' },
    { change: 'added', text: 'Great' },
    { change: 'same', text: ' concert' },
  ]);
  assert.equal([venue.before[0].venue, venue.after[0].venue], ['Old hall', 'New hall'], 'a venue that is new, too');
  assert.ok(description.after.length < 1_100 && description.words === undefined, 'a part of a long text');
  assert.equal(Object.keys(others), []);
  const done = await imported(daybook, changed);
  assert.equal(Object.keys(changesIn(done)), Object.keys(changesIn(dry)));

  const weekly = (summary: string): string =>
    CALENDAR.replace('UID:fair@example', 'UID:weekly@example\r\nRRULE:FREQ=WEEKLY;COUNT=3').replace('Fair', summary);
  await imported(daybook, { file: weekly('Market'), name: 'market.ics' });
  const series = await imported(daybook, { file: weekly('Night market'), name: 'market.ics', dry_run: true });
  assert.equal(
    series.rows.map((row: Body) => [row.outcome, row.changes.map(({ field, after }: Body) => [field, after])]),
    Array.from({ length: 3 }, () => ['changed', [['title', 'Night market']]]),
  );
});

test('rows that change are not hidden behind those that stay as they are', async ({ daybook }) => {
  const table = (last: string): string =>
    [
      'uid,title,start',
      ...Array.from({ length: 230 }, (_, at) => `m-${at},${at < 229 ? 'Same' : last},2027-10-01 10:00`),
    ].join('\n');
  await imported(daybook, { file: table('First'), name: 'many.csv' });
  const { rows } = await imported(daybook, { file: table('Second'), name: 'many.csv', dry_run: true });
  assert.equal(
    rows.filter(({ outcome }: Body) => outcome === 'changed').map(({ name }: Body) => name),
    ['Second'],
  );
});

test('options: the status of new events, the zone of times without one, and a mapping of columns', async ({
  daybook,
}) => {
  const file = 'Dings,Wann,Rest\nProbe,2027-07-01 20:00,x';
  const refused = await imported(daybook, { file, name: 'fremd.csv', dry_run: true });
  assert.is(refused.counts.sources.refused, 1);
  assert.equal(refused.columns, [
    { name: 'Dings', field: null },
    { name: 'Wann', field: 'start' },
    { name: 'Rest', field: null },
  ]);
  const map = 'title=Dings,start=Wann';
  const job = await imported(daybook, { file, name: 'fremd.csv', map, status: 'draft', timezone: 'Asia/Tokyo' });
  assert.equal([job.state, job.status, job.timezone, job.map], ['done', 'draft', 'Asia/Tokyo', map]);
  const { body } = await daybook.get('/events?search=Probe&status=draft', 'editor');
  assert.equal([body.events[0].timezone, body.events[0].utc_start_date], ['Asia/Tokyo', '2027-07-01 11:00:00']);
  await daybook.request('editor', 'PATCH', `/events/${body.events[0].id}`, { status: 'publish' });
  const later = await imported(daybook, {
    file: file.replace('20:00', '21:00'),
    name: 'fremd.csv',
    map,
    status: 'draft',
  });
  assert.is(later.counts.events.created, 1, 'without an id another start is another event');
  for (const wrong of [{ map: 'tittle=Dings' }, { map: '/etc/passwd' }, { map: '{}' }]) {
    const { status, body: said } = await begin(daybook, { file, ...wrong });
    assert.equal([status, said.code, 'map' in said.data.params], [400, 'rest_invalid_param', true]);
  }
});

test('a file that does not say its encoding is told with a word of it, and read in the one that is chosen', async ({
  daybook,
}) => {
  const bytes = [...Buffer.from('title,start\n'), 0xc8, 0xe1, ...Buffer.from('p,2027-07-01\n')];
  const reading = async (encoding: string): Promise<Body> => {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(bytes)]), 'plan.csv');
    form.set('dry_run', '1');
    if (encoding !== '') form.set('encoding', encoding);
    const sent = new Response(form);
    const type = { 'content-type': String(sent.headers.get('content-type')) };
    const body = Buffer.from(await sent.arrayBuffer());
    return (await daybook.request('editor', 'POST', '/imports', body, type)).body;
  };
  const guessed = await ended(daybook, (await reading('')).id);
  assert.equal(
    guessed.notes.map(({ kind, file, reason }: Body) => `${kind} ${file}: ${reason}`),
    [
      'source plan.csv: nothing says its encoding; it was read as windows-1252, in which a word is "Èáp". Save it as UTF-8, or choose its encoding',
    ],
  );
  const chosen = await ended(daybook, (await reading('windows-1250')).id);
  assert.equal([chosen.encoding, chosen.notes, chosen.rows[0].name], ['windows-1250', [], 'Čáp']);
  const again = await imported(daybook, { from: guessed.id, dry_run: true, encoding: 'windows-1250' });
  assert.is(again.rows[0].name, 'Čáp');
  assert.is((await reading('klingon')).code, 'rest_invalid_param');
});

test('a file of a form', async ({ daybook }) => {
  const form = new FormData();
  form.set('file', new Blob([CALENDAR]), '../../kalender.ics');
  form.set('dry_run', '1');
  const encoded = new Response(form);
  const { status, body } = await daybook.request(
    'editor',
    'POST',
    '/imports',
    Buffer.from(await encoded.arrayBuffer()),
    { 'content-type': String(encoded.headers.get('content-type')) },
  );
  assert.is(status, 201);
  const job = await ended(daybook, body.id);
  assert.equal([job.source, job.counts.events.created, job.dry_run], ['kalender.ics', 1, true]);
});

test('an address; what it leads to is checked', async ({ daybook, origin }) => {
  const job = await imported(daybook, { url: `${origin}/fair.ics?key=secret`, dry_run: true });
  assert.equal([job.state, job.source, job.counts.events.created], ['done', `${origin}/fair.ics`, 1]);
  const lost = await imported(daybook, { url: `${origin}/to-the-moon`, dry_run: true });
  assert.match(lost.refused[0].reason, /redirects to file:/);
  for (const url of ['file:///etc/passwd', '/etc/passwd', 'ftp://x.example/y'])
    assert.is((await begin(daybook, { url })).status, 400, url);
  const public_ = await startTestService();
  try {
    for (const url of [origin, origin.replace('127.0.0.1', 'localhost'), 'http://[::1]:1/', 'http://2130706433:1/']) {
      const { refused } = await imported(public_, { url });
      assert.match(refused[0].reason, /private network/, url);
    }
  } finally {
    await public_.close();
  }
});

test('rights: editors and administrators; each sees their own, administrators all', async ({ daybook }) => {
  const { id } = await imported(daybook, { file: TABLE, name: 'own.csv', dry_run: true });
  for (const as of ['author', 'contributor', 'subscriber'] as const) {
    assert.is((await begin(daybook, { file: TABLE }, as)).status, 403);
    assert.is((await daybook.get(`/imports/${id}`, as)).status, 403);
  }
  assert.is((await begin(daybook, { file: TABLE }, 'anonymous')).status, 401);
  assert.is((await daybook.get('/imports', 'anonymous')).status, 401);
  assert.is((await daybook.get(`/imports/${id}`, 'administrator')).status, 200);
  const { id: theirs } = await imported(daybook, { file: TABLE, dry_run: true }, 'administrator');
  assert.is((await daybook.get(`/imports/${theirs}`, 'editor')).body.code, 'rest_import_not_found');
  assert.is((await begin(daybook, { from: theirs })).body.code, 'rest_import_not_found');
  assert.not((await daybook.get('/imports', 'editor')).body.imports.some((one: Body) => one.id === theirs));
  assert.is((await begin(daybook, {})).status, 400, 'no source');
  assert.is((await begin(daybook, { file: TABLE, url: 'http://x.example' })).status, 400, 'two sources');
});

test('under rules of review for their role a user cannot import', async ({ daybook }) => {
  await daybook.request('administrator', 'PATCH', '/policy', { events: { editor: 'review' } });
  const { status, body } = await begin(daybook, { file: TABLE, dry_run: true });
  assert.equal([status, body.code], [403, 'rest_review_required']);
  await daybook.request('administrator', 'PATCH', '/policy', { events: { editor: 'direct' } });
});

test('an import of an earlier process is interrupted, and says how far it was', async ({ daybook }) => {
  const log = openJobLog({ store: daybook.store, newEventId: () => crypto.randomUUID() });
  const user = { id: daybook.userId('editor'), login: 'editor' };
  const job = {
    ...{ id: 7, correlationId: 'c', user, source: 'big.csv', begun: daybook.clock.at, ended: null },
    mode: 'import',
    state: 'writing',
    ...{ done: 120, total: 500, counts: new Map(), problem: null },
  } as const;
  await log.begun(job);
  await log.advanced(job, daybook.clock.at);
  const { body } = await daybook.get('/imports/7', 'editor');
  assert.equal([body.state, body.done, body.total], ['interrupted', 120, 500]);
  assert.equal(body.user, { id: user.id, name: 'editor' }, 'names are not in the log, and found again');
  assert.is(body.problem, 'Interrupted after 120 of 500. Import the same source again to continue.');
});

test('a setting leaves imports to administrators', async () => {
  const daybook = await startTestService({ environment: { DAYBOOK_IMPORTERS: 'administrators' } });
  try {
    assert.is((await begin(daybook, { file: TABLE, dry_run: true })).status, 403);
    assert.is((await begin(daybook, { file: TABLE, dry_run: true }, 'administrator')).status, 201);
    for (const [as, isShown] of [
      ['editor', false],
      ['administrator', true],
    ] as const) {
      const { text } = await (await signedIn(daybook, as)).get('/desk');
      assert.is(text.includes('href="/desk/import"'), isShown, `the menu of the ${as}`);
    }
  } finally {
    await daybook.close();
  }
});

test.run();
