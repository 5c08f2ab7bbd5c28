// What records of other people may bring in: as much as an author's request, and what does not fit is told.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Desk, type Json, openDesk, row } from './desk.ts';

const test = suite<{ desk: Desk }>('what an import accepts');

test.before.each(async (context) => {
  context.desk = await openDesk();
});
test.after.each(({ desk }) => desk.close());

const SCRIPT = '<script>alert(1)</script>';

const event = (members: Json = {}): Json => ({
  id: 7,
  title: `Fair${SCRIPT}`,
  description: `<p onclick="alert(1)">Stalls<iframe src="https://a.example"></iframe>${SCRIPT}</p>`,
  excerpt: `<b>Stalls</b>${SCRIPT}`,
  start_date: '2030-05-01 10:00:00',
  end_date: '2030-05-01 12:00:00',
  website: 'javascript:alert(1)',
  image: { url: 'data:image/svg+xml,x' },
  venue: { id: 8, venue: `Hall${SCRIPT}`, description: SCRIPT, website: 'vbscript:run', geo_lat: 99, geo_lng: 7 },
  organizer: [{ id: 9, organizer: `Guild${SCRIPT}`, website: 'no address' }],
  ...members,
});

test('texts are cleaned and addresses that run code are left out, with a note', async ({ desk }) => {
  const { notes, code } = await desk.run(desk.file('events.json', [event()]));
  assert.is(code, 0);
  const shown = JSON.stringify(await desk.get('/events/7'));
  assert.not.match(shown, /<script|<iframe|onclick|onload|javascript:|vbscript:|data:image/i);
  assert.match(shown, 'Stalls');
  const told = notes.map(({ kind, reason }) => `${kind}: ${reason}`);
  assert.equal(told, [
    'venue: taken without its website: "vbscript:run" is not an absolute address',
    'venue: taken without its coordinates: they are not on earth',
    'organizer: taken without its website: "no address" is not an absolute address',
    'event: taken without its website: "javascript:alert(1)" is not an absolute address',
    `event: taken without its image: "data:image/svg+xml,x" is not an http or https address`,
  ]);
});

test('an address without its scheme, or with a blank, is completed', async ({ desk }) => {
  const organizer = [{ id: 9, organizer: 'Guild', website: 'www.guild.example/about' }];
  const website = 'http://fair.example/Porto, PT';
  const { notes } = await desk.run(desk.file('events.json', [event({ website, organizer, venue: [], image: false })]));
  assert.equal(notes, []);
  assert.is((await desk.get('/events/7')).website, 'http://fair.example/Porto,%20PT');
  assert.is((await desk.get('/organizers/9')).website, 'http://www.guild.example/about');
});

test('ages, languages and addresses of tickets that cannot be read are named, with what is allowed', async ({
  desk,
}) => {
  const table = [
    'Title,Start,age_range,languages,registration_url',
    'Fair,2030-05-01,ab sechs,Klingonisch,am Eingang',
    'Fête,2030-05-02,6-12,"en, de-CH",tickets.example/fete',
  ].join('\n');
  const { notes } = await desk.run(desk.file('fairs.csv', table));
  assert.equal(
    notes.map(({ name, reason }) => `${name}: ${reason}`),
    [
      'Fair: taken without its registration_url: "am Eingang" is not an http or https address',
      'Fair: taken without its age_range: "ab sechs" cannot be read; try 6-12, 18+ or -12',
      'Fair: taken without its languages: "Klingonisch" cannot be read; try codes such as en, de-CH',
    ],
  );
});

test('letters beyond ASCII in the address of a picture are encoded', async ({ desk }) => {
  const image = { url: 'https://fair.example/bilder/straßenfest köln.png', width: 10, height: 10 };
  await desk.run(desk.file('events.json', [event({ image })]));
  const { url } = (await desk.get('/events/7')).image as Json;
  assert.is(url, 'https://fair.example/bilder/stra%C3%9Fenfest%20k%C3%B6ln.png');
});

test('the same from calendar files, whose texts are plain', async ({ desk }) => {
  const calendar = [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'BEGIN:VEVENT', 'UID:1', 'DTSTART:20300501T100000Z', 'SUMMARY:Fair'],
    ...[`DESCRIPTION:${SCRIPT}`, 'ATTACH;FMTTYPE=image/png:javascript:alert(1)', 'END:VEVENT', 'END:VCALENDAR', ''],
  ].join('\r\n');
  await desk.run(desk.file('fair.ics', calendar));
  assert.not.match(JSON.stringify(await desk.get('/events')), /<script|javascript:/);
});

test('with --trust-html texts stay as they are, addresses do not', async ({ desk }) => {
  const { notes } = await desk.run(desk.file('events.json', [event()]), '--trust-html');
  const { description, website } = await desk.get('/events/7');
  assert.match(String(description), '<iframe src="https://a.example"></iframe>');
  assert.not.match(String(website), 'javascript');
  assert.is(notes.length, 5);
});

test('a repeated import of texts that are cleaned changes nothing', async ({ desk }) => {
  const file = desk.file('events.json', [event()]);
  await desk.run(file);
  const { events, venues, organizers } = await desk.run(file);
  assert.equal([events, venues, organizers], [row({ unchanged: 1 }), row({ unchanged: 1 }), row({ unchanged: 1 })]);
});

const PICTURE = {
  url: 'https://pictures.example/fair.jpg',
  width: 1200,
  height: 800,
  sizes: {
    thumbnail: { width: 150, height: 150, 'mime-type': 'image/jpeg', url: 'https://pictures.example/fair-150.jpg' },
  },
};

test('a picture keeps its size and its renditions', async ({ desk }) => {
  await desk.run(desk.file('events.json', [event({ image: PICTURE, venue: [] })]));
  const { image } = await desk.get('/events/7');
  assert.equal({ ...(image as Json), id: 0 }, { ...PICTURE, id: 0, extension: 'jpg' });
});

const ADDED = {
  virtual_events: { host: 'Guild', seats: [1, 2] },
};

test('members without a field are kept, shown, listed in the history and reverted', async ({ desk }) => {
  const first = event({ ...ADDED, image: false, venue: [], organizer: [], website: '' });
  await desk.run(desk.file('events.json', [first]));
  const { virtual_events } = await desk.get('/events/7');
  assert.equal({ virtual_events }, ADDED);
  const changed = { ...first, virtual_events: null };
  const { events } = await desk.run(desk.file('events.json', [changed]));
  assert.equal(events, row({ changed: 1 }));
  assert.is((await desk.get('/events/7')).virtual_events, null);
  assert.is((await desk.log()).at(-1)?.type, 'EventExtended');
  assert.equal((await desk.run(desk.file('events.json', [changed]))).events, row({ unchanged: 1 }));
});

test('events of a calendar that says what is online say so, and can be edited', async ({ desk }) => {
  const online = { is_virtual: true, virtual_url: 'https://stream.example/fair', virtual_video_source: 'stream' };
  const onSite = { is_virtual: false, virtual_url: null, virtual_video_source: '' };
  const file = (first: object) =>
    desk.file('events.json', [event({ ...first, venue: [] }), event({ ...onSite, id: 8, title: 'Fair', venue: [] })]);
  await desk.run(file(online));
  const shown = async (id: number) => {
    const { is_virtual, virtual_url, virtual_video_source } = await desk.get(`/events/${id}`);
    return { is_virtual, virtual_url, virtual_video_source };
  };
  assert.equal([await shown(7), await shown(8)], [online, onSite]);
  assert.equal((await desk.run(file(onSite))).events, row({ changed: 1, unchanged: 1 }));
  assert.equal(await shown(7), onSite);
  assert.is((await desk.log()).at(-1)?.type, 'EventMovedOnSite');
});

test('members that no field is for are cleaned as texts are, and may not be without end', async ({ desk }) => {
  const unsafe = {
    virtual_url: ' javascript:alert(1)',
    other_url: ' javascript:alert(1)',
    virtual_note: `Hi${SCRIPT}`,
    'onload=': 1,
    id: 7,
  };
  const { notes } = await desk.run(
    desk.file('events.json', [
      event(unsafe),
      event({ id: 8, title: 'Long', venue: [], virtual_text: 'x'.repeat(20_000) }),
    ]),
  );
  const shown = await desk.get('/events/7');
  assert.not('virtual_url' in shown);
  assert.is(shown.other_url, '');
  assert.not.match(String(shown.virtual_note), '<script');
  assert.not.ok('onload=' in shown);
  assert.ok(notes.some(({ name, reason }) => name === 'Long' && /they are too long$/.test(reason)));
  assert.not.ok('virtual_text' in (await desk.get('/events/8')));
});

test('a text that is longer than the API takes is refused with its member, and the other records go on', async ({
  desk,
}) => {
  const long = 'é'.repeat(131_073);
  const inTime = 'é'.repeat(131_072);
  const { refused } = await desk.run(
    desk.file('events.json', [
      event({ id: 71, description: long, venue: [] }),
      event({ id: 72, excerpt: long, venue: [] }),
      event({ id: 73, description: inTime, venue: [] }),
      event({ id: 74, description: '<'.repeat(70_000), venue: [] }),
    ]),
  );
  assert.equal(
    refused.map(({ index, reason }) => [index, reason]),
    [
      [0, 'its description has 262146 bytes, but may have at most 262144'],
      [1, 'its excerpt has 262146 bytes, but may have at most 262144'],
      [3, 'its description has 280000 bytes, but may have at most 262144'],
    ],
  );
  assert.is((await desk.get('/events/73')).id, 73);
});

test('a year before 1000 is refused in every format, as the API refuses it', async ({ desk }) => {
  const calendar = (day: string) =>
    [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'BEGIN:VEVENT',
      `UID:${day}`,
      'SUMMARY:Fair',
      `DTSTART;VALUE=DATE:${day}`,
      'END:VEVENT',
    ].join('\r\n');
  const files = [
    desk.file('early.json', [event({ id: 71, venue: [], start_date: '0025-05-01 10:00:00' })]),
    desk.file(
      'early.csv',
      'Event Name,Event Start Date,Event Start Time,Event End Date\nFair,0025-05-01,10:00,2030-05-01\n',
    ),
    desk.file('early.ics', `${calendar('09991231')}\r\nEND:VCALENDAR\r\n`),
    desk.file(
      'series.ics',
      `${calendar('00250501').replace(/END:VEVENT$/, 'RRULE:FREQ=YEARLY;COUNT=3\r\nEND:VEVENT')}\r\nEND:VCALENDAR\r\n`,
    ),
    desk.file('first.ics', `${calendar('10000101')}\r\nEND:VCALENDAR\r\n`),
  ];
  for (const [index, file] of files.entries()) {
    const { refused, events } = await desk.run('--source', `s${index}`, file);
    const reasons = refused.map(({ reason }) => reason);
    if (index === files.length - 1) assert.equal([reasons, events?.created], [[], 1], file);
    else assert.match(reasons.join(), 'its start date is before the year 1000', `${file}: ${reasons}`);
  }
});

test('a name that is longer than the API takes is refused', async ({ desk }) => {
  const venue = { id: 8, venue: 'x'.repeat(70_000) };
  const category = { id: 3, taxonomy: 'tribe_events_cat', name: 'x'.repeat(201), slug: 'x' };
  const { refused } = await desk.run(desk.file('events.json', [event({ venue, categories: [category] })]));
  assert.equal(
    refused.map(({ kind, reason }) => `${kind}: ${reason}`),
    [
      'category: its name has 201 characters, which is too many',
      'venue: its name has 70000 bytes, but may have at most 65536',
    ],
  );
});

test('a venue without a name is called by its address, else by its city', async ({ desk }) => {
  const venues = [
    { id: 21, venue: '', address: 'Quay 4', city: 'Porto' },
    { id: 22, venue: ' ', city: 'Braga' },
    { id: 23, venue: '', zip: '' },
  ];
  const events = venues.map((venue, index) => event({ id: 30 + index, title: `Fair ${index}`, venue }));
  const summary = await desk.run(desk.file('events.json', events));
  assert.equal(summary.venues, row({ created: 2, refused: 1 }));
  const { venue } = await desk.get('/events/30');
  assert.is((venue as Json).venue, 'Quay 4');
  assert.is(((await desk.get('/events/31')).venue as Json).venue, 'Braga');
});

test('records that name the same event are merged, counted and named', async ({ desk }) => {
  const conference = { name: 'Fair Conf', startDate: '2030-06-01', city: 'Porto', country: 'Portugal' };
  const first = desk.file('css.json', [conference]);
  const second = desk.file('ux.json', [{ ...conference, name: 'Other Conf' }, conference]);
  const summary = await desk.run('--dry-run', first, second);
  assert.is(summary.records, 3);
  assert.equal(summary.events, row({ created: 2, merged: 1 }));
  assert.equal(
    summary.merged.map(({ kind, name, file, into }) => ({ kind, name, file, into })),
    [{ kind: 'event', name: 'Fair Conf', file: second, into: { file: first, index: 0 } }],
  );
  const { lines } = await desk.say(first, second);
  assert.ok(lines.includes('  events        2 created, 0 changed, 0 unchanged, 1 merged, 0 refused'));
  assert.ok(lines.includes(`    event "Fair Conf" in ${second}[1] is the one in ${first}[0]`));
});

test('a calendar that is in another zone than the site is pointed out', async ({ desk }) => {
  const zoned = [1, 2, 3].map((id) => event({ id, title: `Fair ${id}`, timezone: 'America/New_York' }));
  const { remarks } = await desk.run(
    '--dry-run',
    desk.file('events.json', [...zoned, event({ id: 4, title: 'Here' })]),
  );
  assert.is(remarks.length, 1);
  assert.match(remarks[0] ?? '', /^3 of 4 events are in the zone America\/New_York, this site is in UTC/);
  const { remarks: none } = await desk.run('--dry-run', desk.file('own.json', [event()]));
  assert.equal(none, []);
});

test('an import that is interrupted prints its summary and its correlation id, and can go on', async ({ desk }) => {
  const file = desk.file(
    'events.json',
    [...Array(400).keys()].map((id) =>
      event({ id: 100 + id, title: `Fair ${id}`, venue: [], organizer: [], website: '', image: false }),
    ),
  );
  const { code, lines } = await desk.interruptedAt(10, file);
  assert.is(code, 1, lines.join('\n'));
  assert.ok(lines.some((line) => /^Interrupted: \d+ records were not written\. Run the same command again/.test(line)));
  assert.match(lines.at(-1) ?? '', /^correlation id: run-1$/);
  const summary = await desk.run(file);
  assert.is((summary.events?.created ?? 0) + (summary.events?.unchanged ?? 0), 400);
  assert.ok((summary.events?.unchanged ?? 0) > 0);
});

test.run();
