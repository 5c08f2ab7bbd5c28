// A calendar here follows its publisher, whatever kind its records become, and says what it did.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LOG_START } from '../../src/log/envelope.ts';
import { startElsewhere } from '../support/calendar-elsewhere.ts';
import { signedIn } from '../support/desk.ts';
import { type Body, startTestService } from '../support/service.ts';

const test = suite('sources that change their records');
const elsewhere = await startElsewhere();
const daybook = await startTestService({ environment: { DAYBOOK_IMPORT_NETWORK: 'any' } });

const calendar = (...events: readonly string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:test', ...events, 'END:VCALENDAR', ''].join('\r\n');

const at = (name: string, time: string): string => `${name};TZID=Europe/Berlin:${time}`;

let uid = '';
/** The UID of this test; begins at 19:00, for two hours. */
const event = (title: string, day: string, ...lines: readonly string[]): string =>
  [
    ...['BEGIN:VEVENT', `UID:${uid}`, 'DTSTAMP:20270101T000000Z', `SUMMARY:${title}`],
    ...[at('DTSTART', `${day}T190000`), at('DTEND', `${day}T210000`), ...lines, 'END:VEVENT'],
  ].join('\r\n');

// 2 August 2027 is a Monday.
const weekly = (title: string, ...lines: readonly string[]): string =>
  event(title, '20270802', 'RRULE:FREQ=WEEKLY;COUNT=3', ...lines);
const DATES = ['08-02', '08-09', '08-16'];

function say(text: string): void {
  elsewhere.answer = (_request, response) =>
    void response.writeHead(200, { 'content-type': 'text/calendar' }).end(text);
}

async function added(text: string): Promise<number> {
  say(text);
  const address = `${elsewhere.address}/${randomUUID()}.ics`;
  const { id } = await daybook.created('editor', 'sources', { address });
  while ((await daybook.get(`/sources/${id}`, 'editor')).body.last_poll?.ended == null) await sleep(50);
  await daybook.request('editor', 'POST', `/sources/${id}/pause`, {});
  return id;
}

async function polled(id: number, text: string): Promise<Body> {
  say(text);
  const { body, status } = await daybook.request('editor', 'POST', `/sources/${id}/polls`, {});
  assert.is(status, 201);
  return body;
}

async function shown(title: string): Promise<readonly string[]> {
  const { body } = await daybook.get(`/events?search=${title}&start_date=2027-01-01&per_page=50`);
  return (body.events as Body[]).map(({ start_date, title: called }) => {
    const time = start_date.slice(11, 16);
    return `${start_date.slice(5, 10)}${time === '19:00' ? '' : ` ${time}`}${called === title ? '' : ` ${called}`}`;
  });
}

const reasons = ({ notes }: Body): readonly string[] => (notes as Body[]).map(({ reason }) => reason);

test.before.each(() => {
  uid = randomUUID();
});

test('a single event becomes a series, a single event again, and a series once more', async () => {
  const id = await added(calendar(event('opera', '20270802')));
  const before = (await daybook.get('/events?search=opera&start_date=2027-01-01')).body.events[0].id;
  const first = await polled(id, calendar(weekly('opera')));
  assert.equal(reasons(first), ['it repeats now: the single event of before is in the trash']);
  assert.is(first.counts.missing, 0);
  assert.equal(await shown('opera'), DATES);
  const second = await polled(id, calendar(event('opera', '20270803')));
  assert.equal(reasons(second), ['it does not repeat here any more: the dates of its series are in the trash']);
  assert.equal(await shown('opera'), ['08-03']);
  const { events } = (await daybook.get('/events?search=opera&start_date=2027-01-01')).body;
  assert.is(events[0].id, before, 'the same event as at first');
  await polled(id, calendar(weekly('opera')));
  assert.equal(await shown('opera'), DATES);
});

test('a single event comes back also where its address is that of a later series', async () => {
  const id = await added(calendar(event('rumba', '20270802', 'LOCATION:Hall', 'URL:https://rumba.example/')));
  await polled(id, calendar(event('rumba', '20270803', 'RRULE:FREQ=WEEKLY;COUNT=2')));
  await polled(id, calendar(event('rumba', '20270804', 'RRULE:FREQ=WEEKLY;COUNT=2')));
  assert.equal(await shown('rumba'), ['08-04', '08-11']);
  const poll = await polled(id, calendar(event('rumba', '20270805')));
  assert.equal(reasons(poll), ['it does not repeat here any more: the dates of its series are in the trash']);
  assert.equal(await shown('rumba'), ['08-05']);
  const [back] = (await daybook.get('/events?search=rumba&start_date=2027-01-01')).body.events;
  assert.equal([back.venue, back.website], [[], ''], 'nothing of what it said at first');
  await polled(id, calendar(event('rumba', '20270804', 'RRULE:FREQ=WEEKLY;COUNT=2')));
  assert.equal(await shown('rumba'), ['08-04', '08-11']);
});

test('another weekday and another zone are followed, with a note', async () => {
  const id = await added(calendar(weekly('yoga')));
  const poll = await polled(id, calendar(event('yoga', '20270803', 'RRULE:FREQ=WEEKLY;COUNT=3')));
  assert.match(reasons(poll)[0] ?? '', /^it begins on another day or in another time zone now/);
  assert.equal(await shown('yoga'), ['08-03', '08-10', '08-17']);
  const again = await polled(id, calendar(event('yoga', '20270803', 'RRULE:FREQ=WEEKLY;COUNT=2')));
  assert.equal([again.counts.created, reasons(again)], [0, []]);
  assert.equal(await shown('yoga'), ['08-03', '08-10']);
  await polled(id, calendar(event('yoga', '20270803', 'RRULE:FREQ=WEEKLY;BYDAY=TU,WE;COUNT=3')));
  assert.equal(await shown('yoga'), ['08-03', '08-04', '08-10']);
});

test('a calendar that tells only what is to come moves no dates', async () => {
  const id = await added(calendar(weekly('swim')));
  const { events } = (await daybook.get('/events?search=swim&start_date=2027-01-01')).body;
  const poll = await polled(id, calendar(event('swim', '20270809', 'RRULE:FREQ=WEEKLY;COUNT=2')));
  assert.equal(reasons(poll), []);
  const after = (await daybook.get('/events?search=swim&start_date=2027-01-01')).body.events;
  assert.equal(
    after.map((one: Body) => one.id),
    events.map((one: Body) => one.id),
  );
});

test('a date that was moved goes back, and again; what an editor has moved stays', async () => {
  const moved = event('ballet', '20270810', at('RECURRENCE-ID', '20270809T190000'));
  const id = await added(calendar(weekly('ballet'), moved));
  assert.equal(await shown('ballet'), ['08-02', '08-10', '08-16']);
  const back = await polled(id, calendar(weekly('ballet')));
  assert.equal(reasons(back), ['this date is as the others of its series again']);
  assert.equal(await shown('ballet'), DATES);
  await polled(id, calendar(weekly('ballet'), moved));
  assert.equal(await shown('ballet'), ['08-02', '08-10', '08-16']);
  const [, , last] = (await daybook.get('/events?search=ballet&start_date=2027-01-01')).body.events;
  const own = { start_date: '2027-08-17 20:00:00', end_date: '2027-08-17 21:00:00', scope: 'this' };
  assert.is((await daybook.request('editor', 'PATCH', `/events/${last.id}`, own)).status, 200);
  await polled(id, calendar(weekly('ballet')));
  assert.equal(await shown('ballet'), ['08-02', '08-09', '08-17 20:00']);
});

test('nothing that a date said apart stays once it is as the others, also canceled, a draft, or somewhere else', async () => {
  const apart = (...lines: readonly string[]): string =>
    ['BEGIN:VEVENT', `UID:${uid}`, at('RECURRENCE-ID', '20270809T190000'), ...lines, 'END:VEVENT'].join('\r\n');
  const id = await added(calendar(weekly('bolero')));
  const second = async () => {
    const query = '/events?search=bolero&start_date=2027-08-09&end_date=2027-08-10&status=publish,draft';
    const [{ status, event_status, venue, cost }] = (await daybook.get(query, 'editor')).body.events;
    return [status, event_status ?? 'scheduled', [venue].flat().length, cost].join(' ');
  };
  for (const [said, shownAs] of [
    [['STATUS:CANCELLED'], 'publish canceled 0 '],
    [['STATUS:DRAFT'], 'draft scheduled 0 '],
    [['LOCATION:Old Mill', 'X-COST:$5'], 'publish scheduled 1 $5'],
  ] as const) {
    await polled(id, calendar(weekly('bolero'), apart(...said)));
    assert.is(await second(), shownAs);
    await polled(id, calendar(weekly('bolero')));
    assert.is(await second(), 'publish scheduled 0 ');
  }
});

test('a row of a table that repeats by a rule becomes a series, and a single event again', async () => {
  const table = (rule: string): string => `Title,Start,Recurrence\nmambo,2027-08-02 19:00,${rule}\n`;
  const id = await added(table('FREQ=WEEKLY;COUNT=3'));
  assert.equal(await shown('mambo'), DATES);
  await polled(id, table(''));
  assert.equal(await shown('mambo'), ['08-02']);
  await polled(id, table('FREQ=WEEKLY;COUNT=2'));
  assert.equal(await shown('mambo'), ['08-02', '08-09']);
});

test('an EXDATE that is taken away brings its date back; what an editor has left out stays out', async () => {
  const id = await added(calendar(weekly('chess', at('EXDATE', '20270809T190000'))));
  assert.equal(await shown('chess'), ['08-02', '08-16']);
  await polled(id, calendar(weekly('chess')));
  assert.equal(await shown('chess'), DATES);
  const [first] = (await daybook.get('/events?search=chess&start_date=2027-01-01')).body.events;
  await daybook.request('editor', 'DELETE', `/events/${first.id}`, { scope: 'this' });
  await polled(id, calendar(weekly('chess', at('EXDATE', '20270816T190000'))));
  assert.equal(await shown('chess'), ['08-09']);
  await polled(id, calendar(weekly('chess')));
  assert.equal(await shown('chess'), ['08-09', '08-16']);
});

test('what a record does not say any more is not shown any more; what an editor says stays', async () => {
  const lines = [
    ...['LOCATION:Old Mill', 'URL:https://tango.example/', 'CATEGORIES:Dance', 'STATUS:CANCELLED'],
    ...['ORGANIZER;CN=Ann:mailto:ann@tango.example', 'IMAGE;VALUE=URI:https://tango.example/a.png'],
  ];
  const told = async () => {
    const [{ id, venue, website, url, categories, organizer, image, event_status }] = (
      await daybook.get('/events?search=tango&start_date=2027-01-01')
    ).body.events;
    const names = [
      ...[venue].flat().map((one: Body) => one.venue),
      ...organizer.map((one: Body) => one.organizer),
      ...categories.map((one: Body) => one.name),
    ];
    return { id, said: [...names, website === url ? '' : website, image.url ?? '', event_status ?? ''] };
  };
  const id = await added(calendar(event('tango', '20270802', ...lines)));
  const full = ['Old Mill', 'Ann', 'Dance', 'https://tango.example/', 'https://tango.example/a.png', 'canceled'];
  assert.equal((await told()).said, full);
  assert.is((await polled(id, calendar(event('tango', '20270802')))).counts.changed, 1);
  const { id: here, said } = await told();
  assert.equal(said, ['', '', 'scheduled']);
  assert.is(
    (await daybook.request('editor', 'PATCH', `/events/${here}`, { website: 'https://own.example/' })).status,
    200,
  );
  await polled(id, calendar(event('tango', '20270803')));
  assert.equal((await told()).said, ['https://own.example/', '', 'scheduled']);
});

test('a draft that its source confirms becomes what new events of that source are, unless an editor has decided', async () => {
  const draft = (title: string) => [event(title, '20270802', 'STATUS:DRAFT'), weekly(title, 'STATUS:DRAFT')];
  const confirmed = (title: string) => [event(title, '20270802', 'STATUS:CONFIRMED'), weekly(title)];
  const statuses = async (title: string) => {
    const query = `/events?search=${title}&start_date=2027-01-01&status=publish,draft,pending,private`;
    return ((await daybook.get(query, 'editor')).body.events as Body[]).map(({ status }) => status);
  };
  for (const [at, title] of ['foxtrot', 'quickstep'].entries()) {
    uid = randomUUID();
    const id = await added(calendar(draft(title)[at] ?? ''));
    const all = (status: string) => Array<string>(at === 0 ? 1 : 3).fill(status);
    assert.equal(await statuses(title), all('draft'));
    await daybook.request('editor', 'PATCH', `/sources/${id}`, { status: 'pending' });
    await polled(id, calendar(confirmed(title)[at] ?? ''));
    assert.equal(await statuses(title), all('pending'));
    await daybook.request('editor', 'PATCH', `/sources/${id}`, { status: '' });
    await polled(id, calendar(draft(title)[at] ?? ''));
    assert.equal(await statuses(title), all('draft'));
    await polled(id, calendar(confirmed(title)[at] ?? ''));
    assert.equal(await statuses(title), all('publish'));
    await polled(id, calendar(draft(title)[at] ?? ''));
    const query = `/events?search=${title}&start_date=2027-01-01&status=draft`;
    const [{ id: first }] = (await daybook.get(query, 'editor')).body.events;
    for (const status of ['publish', 'draft'])
      await daybook.request('editor', 'PATCH', `/events/${first}`, { status, ...(at === 1 && { scope: 'all' }) });
    await polled(id, calendar(confirmed(title)[at] ?? ''));
    assert.equal(await statuses(title), all('draft'), 'as the editor has decided');
  }
});

/** The second date of a series, under another name. */
const named = (title: string, day: string): string => event(`${title} gala`, day, at('RECURRENCE-ID', `${day}T190000`));

test('a date under another name that is none any more takes no other date with it, and comes back', async () => {
  const gala = calendar(weekly('polka'), named('polka', '20270809'));
  const id = await added(gala);
  assert.equal(await shown('polka'), ['08-02', '08-09 polka gala', '08-16']);
  await polled(id, calendar(event('polka', '20270802', 'RRULE:FREQ=DAILY;COUNT=2')));
  assert.equal(await shown('polka'), ['08-02', '08-03']);
  await polled(id, gala);
  assert.equal(await shown('polka'), ['08-02', '08-09 polka gala', '08-16']);
  await polled(id, calendar(weekly('polka', at('EXDATE', '20270809T190000'))));
  assert.equal(await shown('polka'), ['08-02', '08-16']);
  await polled(id, calendar(weekly('polka')));
  assert.equal(await shown('polka'), DATES);
});

test('dates under other names follow a series that is made anew, taken away and brought back', async () => {
  const id = await added(calendar(weekly('mazurka'), named('mazurka', '20270809')));
  const tuesdays = event('mazurka', '20270803', 'RRULE:FREQ=WEEKLY;COUNT=3');
  await polled(id, calendar(tuesdays, named('mazurka', '20270810')));
  assert.equal(await shown('mazurka'), ['08-03', '08-10 mazurka gala', '08-17']);
  await polled(id, calendar(event('mazurka', '20270805')));
  assert.equal(await shown('mazurka'), ['08-05']);
  await polled(id, calendar(tuesdays));
  assert.equal(await shown('mazurka'), ['08-03', '08-10', '08-17']);
  await polled(id, calendar(weekly('mazurka'), named('mazurka', '20270809')));
  assert.equal(await shown('mazurka'), ['08-02', '08-09 mazurka gala', '08-16']);
});

test('what had disappeared as a series comes back as one, also after it was a single event', async () => {
  const other = event('bystander', '20270901').replace(uid, randomUUID());
  const id = await added(calendar(weekly('galop'), other));
  await daybook.request('editor', 'PATCH', `/sources/${id}`, { on_missing: 'bin' });
  await polled(id, calendar(other));
  assert.equal(await shown('galop'), []);
  await polled(id, calendar(event('galop', '20270805'), other));
  assert.equal(await shown('galop'), ['08-05']);
  await polled(id, calendar(weekly('galop'), other));
  assert.equal(await shown('galop'), DATES);
});

test('an older version that comes later is ignored, with a note; one of the same SEQUENCE is not', async () => {
  const id = await added(calendar(event('new', '20270802', 'SEQUENCE:1792346234567')));
  const old = await polled(id, calendar(event('old', '20270803', 'SEQUENCE:9999999999')));
  assert.equal([old.counts.changed, old.counts.unchanged], [0, 1]);
  assert.equal(reasons(old), ['its SEQUENCE is lower than before, so it is an older version: it is ignored']);
  assert.equal(await shown('new'), ['08-02']);
  await polled(id, calendar(event('newest', '20270804', 'SEQUENCE:1792346234567')));
  assert.equal(await shown('newest'), ['08-04']);
  const text = calendar(
    weekly('band', 'SEQUENCE:3'),
    event('band', '20270810', at('RECURRENCE-ID', '20270809T190000'), 'SEQUENCE:4'),
  );
  const series = await added(text);
  await polled(
    series,
    calendar(
      weekly('band', 'SEQUENCE:3'),
      event('band', '20270811', at('RECURRENCE-ID', '20270809T190000'), 'SEQUENCE:3'),
    ),
  );
  assert.equal(await shown('band'), ['08-02', '08-10', '08-16']);
});

test('records that share a UID are versions, or events of their own if their starts differ', async () => {
  const id = await added(calendar(event('duo', '20270802'), event('duo', '20270901'), event('duo', '20270902')));
  const { last_poll: poll } = (await daybook.get(`/sources/${id}`, 'editor')).body;
  assert.equal(reasons(poll), ['3 events have this UID: each is taken as one of its own']);
  assert.equal(await shown('duo'), ['08-02', '09-01', '09-02']);
  uid = randomUUID();
  const text = calendar(event('solo', '20270802', 'SEQUENCE:1'), event('solo', '20270803', 'SEQUENCE:2'));
  assert.equal(reasons(await polled(id, text)), ['2 records have this UID: of versions the newest counts']);
  assert.equal(await shown('solo'), ['08-03']);
});

test('the notes of a poll are kept, encrypted in the log, and shown at the desk', async () => {
  const id = await added(calendar(event('salsa', '20270803').replace('DTSTART', 'X-START')));
  const { polls } = (await daybook.get(`/sources/${id}/polls`, 'editor')).body;
  assert.equal(
    polls[0].notes.map(({ kind, name, line, reason }: Body) => [kind, name, line, reason]),
    [['event', 'salsa', 1, 'no DTSTART']],
  );
  const bytes = Buffer.from(calendar(event('Fête', '20270804')), 'latin1');
  elsewhere.answer = (_request, response) =>
    void response.writeHead(200, { 'content-type': 'text/calendar' }).end(bytes);
  const { body: guessed } = await daybook.request('editor', 'POST', `/sources/${id}/polls`, {});
  assert.match(reasons(guessed)[0] ?? '', 'it was read as windows-1252, in which a word is "Fête"');
  const page = await (await signedIn(daybook, 'editor')).get(`/desk/sources/${id}`, { 'accept-language': 'de' });
  assert.match(page.text, 'salsa: DTSTART fehlt');
  const stored = JSON.stringify(await daybook.stores.rawLog.readStream(`source-${id}`));
  assert.not.match(stored, 'salsa');
});

test('a page of other bytes each time has nothing new as long as its records are the same', async () => {
  const page = (nonce: string, name = 'foxtrot'): string => {
    const gig = { '@context': 'https://schema.org', '@type': 'Event', name, startDate: '2027-08-03T19:00:00' };
    const script = `<script type="application/ld+json" nonce="${nonce}">${JSON.stringify(gig)}</script>`;
    return `<!doctype html><title>${name}</title>${script}<p>Made at ${nonce}`;
  };
  const id = await added(page('first'));
  assert.equal(await shown('foxtrot'), ['08-03']);
  const before = (await daybook.stores.rawLog.readAll({ after: LOG_START, limit: 100_000 })).length;
  const polls = [await polled(id, page('second')), await polled(id, page('third'))];
  assert.equal(
    polls.map(({ outcome, counts }) => [outcome, counts.unchanged, counts.changed, counts.created]),
    Array.from({ length: 2 }, () => ['unchanged', 1, 0, 0]),
  );
  const after = (await daybook.stores.rawLog.readAll({ after: LOG_START, limit: 100_000 }))
    .slice(before)
    .map(({ type }) => type);
  assert.equal(after, ['SourcePollBegun', 'SourcePolled', 'SourcePollBegun', 'SourcePolled'], 'and nothing else');
  const desk = await (await signedIn(daybook, 'editor')).get(`/desk/sources/${id}`, { 'accept-language': 'en' });
  assert.match(desk.text, '<p class="what">Nothing new · Unchanged: 1</p>');
  const changed = await polled(id, page('fourth', 'foxtrot nuevo'));
  assert.equal([changed.outcome, changed.counts.unchanged], ['applied', 0]);
  await daybook.request('editor', 'PATCH', `/sources/${id}`, { address: `${elsewhere.address}/${randomUUID()}` });
  const moved = await polled(id, page('fifth', 'foxtrot nuevo'));
  assert.equal([moved.outcome, moved.counts.unchanged], ['applied', 1], 'another address has been compared once');
});

test.after(async () => {
  elsewhere.server.close();
  await daybook.close();
});
test.run();
