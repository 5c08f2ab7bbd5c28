import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openTurns } from '../../../src/exchange/sources/poll.ts';
import { redirectProblem } from '../../../src/kernel/outbound/networks.ts';
import { type Desk, type Json, openDesk, row } from './desk.ts';

const test = suite<{ desk: Desk; server: Server; root: string }>('sources of an import');

const event = (id: number) => ({
  id,
  global_id: `calendar.example.org?id=${id}`,
  title: `Event ${id}`,
  start_date: '2030-03-01 10:00:00',
  end_date: '2030-03-01 11:00:00',
});

/** In ISO 8859-1. */
const CALENDAR = Buffer.from(
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'BEGIN:VEVENT',
    'UID:1@calendar.example.org',
    'SUMMARY:Café',
    'DTSTART:20300301T100000Z',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n'),
  'latin1',
);

/** No answer of the server below takes that long, however busy the machine is. */
const PATIENCE_MS = 60_000;

test.before.each(async (context) => {
  context.desk = await openDesk({ timeoutMs: PATIENCE_MS, bytes: 10_000 });
  context.server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', context.root);
    const json = (value: unknown) => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
    };
    const page = Number(url.searchParams.get('page') ?? 1);
    const next = (address: string) => ({ next_rest_url: address });
    if (url.pathname === '/paged')
      return json({ events: [event(page)], ...(page < 3 ? next(`${context.root}/paged?page=${page + 1}`) : {}) });
    if (url.pathname === '/same') return json({ data: [event(1)], current_page: 1, last_page: 9 });
    if (url.pathname === '/from-0') {
      const at = url.searchParams.has('page') ? page : 0;
      return at < 3 ? json({ data: [event(at + 1)], page: at, total_pages: 3 }) : response.writeHead(404).end();
    }
    if (url.pathname === '/loop') return json({ events: [event(page)], ...next(`${context.root}/loop`) });
    if (url.pathname === '/away') return json({ events: [event(1)], ...next('http://elsewhere.example.org/events') });
    if (url.pathname === '/breaks') {
      if (page === 1) return json({ events: [event(1)], ...next(`${context.root}/breaks?page=2`) });
      return response.setHeader('content-type', 'application/json').end('{"events": [');
    }
    if (url.pathname === '/keyed' && url.searchParams.get('apikey') === 'k') {
      const links = page === 1 ? { next: { href: '/keyed?page=2' } } : {};
      return json({ _embedded: { events: [{ name: `Gig ${page}`, start: '2030-03-01', o: {} }] }, _links: links });
    }
    if (url.pathname === '/tokens') {
      const isLast = url.searchParams.get('pageToken') === 'two';
      const shown = { id: isLast ? 'b' : 'a', summary: url.searchParams.get('key'), start: { date: '2030-03-01' } };
      return json({ items: [shown], ...(isLast ? {} : { nextPageToken: 'two' }) });
    }
    if (url.pathname === '/page')
      return response.setHeader('content-type', 'text/html').end(
        `<html><script>var x = "<p>";</script><script type="application/ld+json">${JSON.stringify([
          { '@type': 'Event', name: 'Told', startDate: '2030-03-01', location: { name: 'Hall' } },
          { '@type': 'WebSite', name: 'Site' },
        ])}</script></html>`,
      );
    if (url.pathname === '/api/events/v1/') return json({ namespace: 'events/v1', routes: {} });
    if (url.pathname === '/home')
      return response
        .setHeader('content-type', 'text/html')
        .end(
          `<meta name="tec-api-version" content="v1"/><link rel="alternate" href="/api/events/v1/"/>${script('{"@type":"Event","name":"Home","startDate":"2030-03-01"}')}`,
        );
    if (url.pathname === '/ours' || url.pathname === '/shut')
      return response
        .setHeader('content-type', 'text/html')
        .end(
          `<meta name="tec-api-version" content="v1"/><link rel="alternate" href="${url.pathname}/events/?a=1&amp;b=2"/>${script('{"@type":"Event","name":"Page","startDate":"2030-03-01"}')}`,
        );
    if (url.pathname === '/ours/events/') return json({ events: [event(Number(url.searchParams.get('b')))] });
    if (url.pathname === '/html') return response.setHeader('content-type', 'text/html').end('<html></html>');
    if (url.pathname === '/large') return json({ events: [], text: 'x'.repeat(20_000) });
    if (url.pathname === '/never') return undefined;
    const calendar = () => response.setHeader('content-type', 'text/calendar; charset=iso-8859-1').end(CALENDAR);
    if (url.pathname === '/calendar') return calendar();
    if (url.pathname === '/moved') return response.writeHead(302, { location: '/calendar' }).end();
    if (url.pathname === '/circle') return response.writeHead(302, { location: '/circle' }).end();
    if (url.pathname === '/far')
      return response.writeHead(302, { location: `/far?${Number(url.search.slice(1)) + 1}` }).end();
    const secretly = context.root.replace('//', '//ann:s3cret@');
    if (url.pathname === '/secretly') return response.writeHead(302, { location: `${secretly}/calendar` }).end();
    if (url.pathname === '/file') return response.writeHead(302, { location: 'file:///etc/hosts' }).end();
    if (url.pathname === '/cut') return response.end(CALENDAR.subarray(0, CALENDAR.length - 15));
    if (url.pathname === '/short') {
      response.writeHead(200, { 'content-length': CALENDAR.length + 100 }).write(CALENDAR);
      return setTimeout(() => response.destroy(), 20);
    }
    response.statusCode = 404;
    return response.end();
  });
  await new Promise<void>((resolve) => context.server.listen(0, '127.0.0.1', resolve));
  context.root = `http://127.0.0.1:${(context.server.address() as AddressInfo).port}`;
});
test.after.each(async ({ desk, server }) => {
  server.closeAllConnections();
  server.close();
  await desk.close();
});

async function reasonFor(desk: Desk, source: string): Promise<string> {
  const { code, refused } = await desk.run(source);
  assert.is(code, 1);
  assert.is(refused.length, 1);
  assert.is(refused[0]?.kind, 'source');
  return refused[0]?.reason ?? '';
}

test('an address is followed page by page', async ({ desk, root }) => {
  const { code, records, events } = await desk.run(`${root}/paged`);
  assert.is(code, 0);
  assert.is(records, 3);
  assert.is(events?.created, 3);
});

test('a list that knows nothing of the page that we ask for is read as it is, and one that counts from 0 to its end', async ({
  desk,
  root,
}) => {
  const same = await desk.run(`${root}/same`);
  assert.equal([same.code, same.records, same.events?.created], [0, 1, 1]);
  assert.match(JSON.stringify(same), 'it is one page of several');
  const { code, records } = await desk.run(`${root}/from-0`);
  assert.equal([code, records], [0, 3]);
});

test('a single event is taken, too', async ({ desk }) => {
  assert.is((await desk.run(desk.file('one.json', event(9)))).events?.created, 1);
});

test('pages of another origin are not followed', async ({ desk, root }) => {
  assert.match(await reasonFor(desk, `${root}/away`), /elsewhere.example.org.*not followed/);
  assert.equal(await desk.log(), []);
});

test('pages that lead in a circle end', async ({ desk, root }) => {
  assert.match(await reasonFor(desk, `${root}/loop`), 'lead back');
});

test('a page that breaks off is named, and nothing of its address is taken', async ({ desk, root }) => {
  const { events, refused } = await desk.run(`${root}/breaks`, desk.file('good.json', [event(4)]));
  assert.is(events?.created, 1);
  assert.is((await desk.get('/events/4')).title, 'Event 4');
  assert.is(refused[0]?.file, `${root}/breaks?page=2`);
  assert.match(refused[0]?.reason ?? '', /^broken JSON: [^\n]+$/);
});

test('an address with HTML, 404, or too much is refused in one line', async ({ desk, root }) => {
  assert.match(await reasonFor(desk, `${root}/html`), 'HTML or XML without events');
  assert.is(await reasonFor(desk, `${root}/none`), 'it answers 404 Not Found');
  assert.is(await reasonFor(desk, `${root}/large`), 'its answer is larger than 10000 bytes');
  assert.match(await reasonFor(desk, 'http://127.0.0.1:1/'), 'cannot be reached');
  assert.equal(await desk.log(), []);
});

test('an address that does not answer in time is refused in one line', async ({ root }) => {
  const desk = await openDesk({ timeoutMs: 200, bytes: 10_000 });
  try {
    assert.is(await reasonFor(desk, `${root}/never`), 'it did not answer within 0.2 s');
  } finally {
    await desk.close();
  }
});

test('an iCalendar file is taken from an address, in its charset and behind a redirect', async ({ desk, root }) => {
  assert.is((await desk.run(`${root}/calendar`)).events?.created, 1);
  assert.is((await desk.run(`${root}/moved`)).events?.unchanged, 1);
  const { events } = await desk.get('/events?start_date=2030-01-01&end_date=2030-12-31&end_date=2031-01-01');
  assert.equal(
    (events as Json[]).map(({ title }) => title),
    ['Café'],
  );
});

test('circular, endless and foreign redirects and truncated answers are errors that say so', async ({ desk, root }) => {
  assert.is(await reasonFor(desk, `${root}/circle`), 'it redirects in a circle');
  assert.is(await reasonFor(desk, `${root}/far?1`), 'it redirects more than 5 times');
  assert.is(await reasonFor(desk, `${root}/file`), 'it redirects to file:, which is not followed');
  assert.is(await reasonFor(desk, `${root}/cut`), 'broken iCalendar: it breaks off without END:VCALENDAR');
  assert.match(await reasonFor(desk, `${root}/short`), /^its answer breaks off after \d+ bytes$/);
  assert.equal(await desk.log(), []);
});

test('an address with a password is neither fetched, nor shown, nor followed', async ({ desk, root }) => {
  const secretly = root.replace('//', '//ann:s3cret@');
  for (const address of [`${secretly}/calendar`, secretly.replace('http:', 'webcal:'), `${root}/secretly`]) {
    const { lines } = await desk.say(address);
    assert.match(lines.join('\n'), 'it holds a name or a password, and none is sent');
    assert.not.match(lines.join('\n'), 's3cret');
  }
  assert.equal(await desk.log(), []);
});

test('--timeout limits how long an address may take', async ({ desk, root }) => {
  const { refused } = await desk.run('--timeout', '0.1', `${root}/never`);
  assert.is(refused[0]?.reason, 'it did not answer within 0.1 s');
});

test('what the open network redirects into a private one is not followed', async () => {
  const resolve = async (host: string) => (host === 'public.example.org' ? ['203.0.113.5'] : ['10.1.2.3']);
  const problem = (from: string, to: string) => redirectProblem(new URL(from), new URL(to), resolve);
  const open = 'https://public.example.org/a';
  assert.match((await problem(open, 'http://intranet.example.org/')) ?? '', 'private address intranet.example.org');
  for (const host of ['127.0.0.1', '[::1]', '169.254.169.254', '[::ffff:127.0.0.1]', '[fd00::1]', '192.168.1.1'])
    assert.match((await problem(open, `http://${host}/`)) ?? '', 'private address');
  assert.is(await problem(open, 'https://public.example.org:444/b'), null);
  assert.is(await problem(open, 'http://203.0.113.9/b'), null);
  assert.is(await problem('http://intranet.example.org/', 'http://127.0.0.1/'), null);
});

test('a missing file, broken JSON and an empty folder say so, and the other sources are read', async ({ desk }) => {
  assert.is(await reasonFor(desk, `${desk.folder}/none.json`), 'there is no such file or folder');
  assert.match(await reasonFor(desk, desk.file('broken.json', '[{"id": 1,')), /^broken JSON: [^\n]+$/);
  const levels = (count: number) => `${'['.repeat(count)}"[["${']'.repeat(count)}`;
  for (const deep of [`[{"start":${levels(99)}}]`, `{"items":[{"summary":"Deep","x":${levels(300_000)}}]}`])
    assert.is(await reasonFor(desk, desk.file('deep.json', deep)), 'broken JSON: it nests deeper than 100 levels');
  const level = await desk.run(desk.file('level.json', `[{"start":${levels(98)}}]`));
  assert.not.match(JSON.stringify(level), /nests/);
  const { events, code } = await desk.run(`${desk.folder}/none.json`, desk.file('good.json', [event(4)]));
  assert.is(code, 1);
  assert.is(events?.created, 1);
});

test('pages that are named by a token are followed, with what else the address asks for', async ({ desk, root }) => {
  const { events } = await desk.run(`${root}/tokens?key=Secret&pageToken=one`);
  assert.equal(events, row({ created: 2 }));
  const shown = (await desk.get('/events?start_date=2030-01-01&end_date=2030-12-31')).events as readonly Json[];
  assert.equal(
    shown.map(({ title }) => title),
    ['Secret', 'Secret'],
  );
});

test('a next page is asked for with the key of the first one, which its address may leave out', async ({
  desk,
  root,
}) => {
  const { refused, events } = await desk.run(`${root}/keyed?apikey=k`);
  assert.equal([refused, events?.created], [[], 2]);
});

test('events that a page tells as JSON-LD are read', async ({ desk, root }) => {
  const { events, venues, refused } = await desk.run(`${root}/page`);
  assert.equal({ events, venues, refused }, { events: row({ created: 1 }), venues: row({ created: 1 }), refused: [] });
});

test('a page of a calendar with an API is read from there, unless that is shut', async ({ desk, root }) => {
  assert.equal((await desk.run(`${root}/ours`)).events, row({ created: 1 }));
  assert.is((await desk.get('/events/by-slug/event-2')).title, event(2).title);
  assert.equal((await desk.run(`${root}/shut`)).events, row({ created: 1 }));
  assert.is((await desk.get('/events/by-slug/page')).title, 'Page');
  assert.equal((await desk.run(`${root}/home`)).events, row({ created: 1 }), 'the root of an API tells no events');
});

test('a page without JSON-LD says what it has instead', async ({ desk }) => {
  const instead: readonly (readonly [page: string, what: string])[] = [
    ['<div itemscope itemtype="https://schema.org/MusicEvent">', 'microdata'],
    ['<div class="card h-event">', 'h-event'],
    ['<div vocab="https://schema.org/" typeof="Event">', 'RDFa'],
    ['<?xml version="1.0"?><rss version="2.0" xmlns:ev="http://purl.org/rss/1.0/modules/event/">', 'RSS'],
    ['<p><a href="webcal://a.example/b.ics?x=1&amp;y=2">', 'iCalendar (webcal://a.example/b.ics)'],
    [
      '<link rel="alternate" type="text/calendar" title="x" href="https://a.example/?ical=1&amp;x=2">',
      'iCalendar (https://a.example/?ical=1&x=2)',
    ],
  ];
  for (const [page, what] of instead)
    assert.is(
      await reasonFor(desk, desk.file('page.html', page)),
      `it is HTML or XML without events as JSON-LD. It has ${what}, which is not read from there`,
    );
  const blanks = ['itemtype="', 'class="', '<link ', 'href="', 'typeof="'].map((one) => one + ' a'.repeat(500_000));
  const links = '<link text/calendar'.repeat(200_000);
  const reason = await reasonFor(desk, desk.file('page.html', `<p>${blanks.join('')}${links}`));
  assert.match(reason, /Try its calendar as a file/);
});

const script = (text: string): string => `<script type='Application/LD+JSON'>${text}</script>`;

test('a script of JSON-LD that templates broke is read, and another broken one costs nothing but itself', async ({
  desk,
}) => {
  const event = (name: string, rest = '') => `{"@type":"Event","name":"${name}","startDate":"2030-03-01"${rest}}`;
  const cdata = `//<![CDATA[\n${event('In CDATA')}\n//]]>`;
  const scripts = [
    event('Lines', ',"description":"one\ntwo"'),
    event('Comma', ','),
    cdata,
    `<!--${event('Comment')}-->`,
    `${event('First of two')}\n${event('Second of two')}`,
    `${event('With a comma', ',"offers":[{"price":1} {"price":2}]')},${event('Behind it', ',"description":"} {"')}`,
  ];
  const broken = ['{"@type":"WebPage","name":"', `{"@type":"Event","name":"${'\\"'.repeat(200_000)}`].map(script);
  const page = `<html>${[...scripts.map(script), ...broken].join('')}</html>`;
  const { code, events, notes } = await desk.run(desk.file('page.html', page));
  assert.is(code, 0);
  assert.is(events?.created, 8);
  assert.match(notes[0]?.reason ?? '', /^2 of its scripts of JSON-LD cannot be read: broken JSON: /);
  assert.match(await reasonFor(desk, desk.file('none.html', broken.join(''))), /^broken JSON: /);
});

test('tasks and journals of a calendar are counted', async ({ desk }) => {
  const task = 'BEGIN:VTODO\nSUMMARY:Task\nBEGIN:VALARM\nEND:VALARM\nEND:VTODO\n';
  const [head, tail] = CALENDAR.toString('latin1').split('END:VCALENDAR');
  const file = desk.file('tasks.ics', `${head}${task}${task}BEGIN:VJOURNAL\nEND:VJOURNAL\nEND:VCALENDAR${tail}`);
  const { events, notes } = await desk.run(file);
  assert.equal(events, row({ created: 1 }));
  assert.equal(
    notes.map(({ reason }) => reason),
    ['only events are taken; left out: 2 VTODO, 1 VJOURNAL'],
  );
});

test('warnings above a calendar are no part of it', async ({ desk }) => {
  const file = desk.file('calendar.ics', `<br />\n<b>Warning</b>: x\n${CALENDAR}`);
  assert.is((await desk.run(file)).code, 0);
});

test('a workbook says what to do, and a heading of a million letters is no trouble', async ({ desk }) => {
  const workbook = desk.file('table.xlsx', `PK\x03\x04${'x'.repeat(100)}`);
  assert.match(await reasonFor(desk, workbook), 'Save its table as CSV');
  const table = `title,start,${'event'.repeat(200_000)}\nA,2030-03-01,1\n`;
  assert.is((await desk.run(desk.file('table.csv', table))).events?.created, 1);
});

test('a text of ten million letters is no trouble in JSON', async ({ desk }) => {
  const long = `[{"title":"Long","start":"2030-03-01","x":"${'x'.repeat(10_000_000)}"}]`;
  assert.is((await desk.run(desk.file('long.json', long))).events?.created, 1);
});

test('three servers that trickle keep no other source from being read', async () => {
  const turns = openTurns(3, 20);
  const ended: string[] = [];
  const trickling = (name: string) =>
    turns(async (room) => {
      await once(room, 'abort');
      ended.push(name);
    });
  for (const name of ['first', 'second', 'third']) void trickling(name);
  await turns(async () => ended.push('fourth'));
  assert.equal(ended, ['first', 'fourth'], 'the one that was there longest makes room');
  await Promise.all(['fifth', 'sixth'].map((name) => turns(async () => ended.push(name))));
  assert.equal(ended.slice(2), ['fifth', 'sixth'], 'in peace the others go on');
});

test.run();
