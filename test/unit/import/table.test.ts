import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Writable } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { exportCommand } from '../../../src/cli/export.ts';
import { perform } from '../../support/perform.ts';
import { type Desk, type Json, openDesk, row } from './desk.ts';

const test = suite<{ desk: Desk }>('import of tables');

test.before.each(async (context) => {
  context.desk = await openDesk();
});
test.after.each(({ desk }) => desk.close());

const names = (list: unknown): unknown[] => (list as Json[]).map(({ name }) => name).sort();

/** What `daybook export --format csv` writes of a calendar. */
async function exported(desk: Desk): Promise<string> {
  const chunks: string[] = [];
  const stdout = new Writable({
    write(chunk, _, done) {
      chunks.push(String(chunk));
      done();
    },
  });
  const open = async () => ({ ...desk.store, close: async () => {} });
  const code = await perform(exportCommand, ['--format', 'csv'], {
    openLog: open,
    openRawLog: open,
    stdout,
    tell: () => {},
    progress: { begin() {}, reach() {}, end() {} },
    site: 'https://cal.example',
    signal: new AbortController().signal,
    version: '0',
    instant: () => '2030-01-01T00:00:00Z',
  });
  assert.is(code, 0);
  return chunks.join('');
}

test('columns are found by usual names, cells keep quotes and line ends, and zones are those of the row', async ({
  desk,
}) => {
  const file = desk.file(
    'events.csv',
    '\ufeffName;Beginn;Ende;Ort;Stadt;Veranstalter;Kategorie;Schlagwörter;Preis;Zeitzone;Beschreibung;Raum\r\n' +
      '"Brot & ""Käse"" <3 🎉";2030-05-01 19:00;2030-05-01 21:30;Saal; Graz ;Maria;Musik, Tanz;a|b;10 €;Europe/Vienna;"Zeile 1\r\nZeile 2";7\r\n' +
      'Ganzer Tag;2030-06-01;2030-06-02;;;;;;;;;\r\n',
  );
  const { code, events, remarks, refused } = await desk.run(file);
  assert.equal([code, refused, events], [0, [], row({ created: 2 })]);
  assert.match(
    remarks.join('\n'),
    /columns were taken as title=Name, start=Beginn, end=Ende, timezone=Zeitzone, venue=Ort/,
  );
  assert.match(remarks.join('\n'), /columns that are not used: Raum/);
  const event = await desk
    .get('/events/by-slug/brot-kase-3-%f0%9f%8e%89')
    .catch(() => desk.get('/events/by-slug/brot-kase-3'));
  assert.equal(
    [event.start_date, event.end_date, event.timezone, event.all_day],
    ['2030-05-01 19:00:00', '2030-05-01 21:30:00', 'Europe/Vienna', false],
  );
  assert.equal(
    [names(event.categories), names(event.tags)],
    [
      ['Musik', 'Tanz'],
      ['a', 'b'],
    ],
  );
  const venue = event.venue as Json;
  assert.equal([venue.venue, venue.city, event.cost], ['Saal', 'Graz', '10€']);
  assert.match(String(event.description), /Zeile 1[\s\S]*Zeile 2/);
  assert.is((await desk.get('/events/by-slug/ganzer-tag')).all_day, true);
});

test('a second run changes what has changed and makes no double', async ({ desk }) => {
  const head = 'id,title,start,end,venue\n';
  await desk.run(desk.file('a.csv', `${head}1,One,2030-05-01 10:00,,Hall\n2,Two,2030-05-02 10:00,,Hall\n`));
  const again = await desk.run(
    desk.file('a.csv', `${head}1,One more,2030-05-03 10:00,,Hall\n2,Two,2030-05-02 10:00,,Hall\n`),
  );
  assert.equal([again.events, again.venues], [row({ changed: 1, unchanged: 1 }), row({ unchanged: 1 })]);
  const named = await desk.run(desk.file('b.csv', 'title,start\nThree,2030-05-01\n'), path.join(desk.folder, 'b.csv'));
  assert.equal(named.events, row({ created: 1, merged: 1 }));
});

test('rows that share an id are occurrences, identified by their starts', async ({ desk }) => {
  const file = desk.file('a.csv', 'uid,title,start\nx@y,Choir,2030-05-01 10:00\nx@y,Choir,2030-05-08 10:00\n');
  assert.equal((await desk.run(file)).events, row({ created: 2 }));
  assert.equal((await desk.run(file)).events, row({ unchanged: 2 }));
});

test('a row that cannot be taken is refused with its line, and the others are taken', async ({ desk }) => {
  const file = desk.file(
    'a.csv',
    'title,start,end,tz\n"Two\nlines",2030-05-01 10:00,,\n,2030-05-01,,\nWhen,next-ish,,\nBack,2030-05-02,2030-05-01,\nMars,2030-05-01,,Mars/Base\nLong,2030-05-01,,,x\n',
  );
  const { lines, code } = await desk.say(file);
  assert.is(code, 1);
  const refused = lines.filter((line) => line.startsWith('refused'));
  assert.equal(
    refused.map((line) => line.replace(file, 'F')),
    [
      'refused: event "(no title)" in F:4: no title',
      'refused: event "When" in F:5: start "next-ish" is not a date',
      'refused: event "Back" in F:6: it ends (2030-05-01 00:00:00) before it starts (2030-05-02 00:00:00)',
      'refused: event "Mars" in F:7: the time zone "Mars/Base" is not known',
      'refused: event "Long" in F:8: it has 5 cells, and there are 4 columns',
    ],
  );
});

test('a dry run shows the first ten rows as they would arrive', async ({ desk }) => {
  const rows = Array.from({ length: 12 }, (_, index) => `Event ${index},${index + 1}/13/2030,7 pm,9 pm,Hall`);
  const { lines } = await desk.say(
    desk.file('a.csv', `title,date,time,end time,venue\n${rows.join('\n')}\n`),
    '--dry-run',
  );
  assert.equal(lines.slice(0, 2), [
    'First rows:',
    '  line 2: Event 0; 2030-01-13 19:00:00 to 2030-01-13 21:00:00; venue Hall',
  ]);
  assert.is(lines.filter((line) => line.startsWith('  line ')).length, 10);
  assert.equal(await desk.log(), []);
});

test('--map assigns columns to fields, for CSV and JSON lines, and an invalid mapping is refused', async ({ desk }) => {
  const file = desk.file('a.jsonl', '{"What":"One","From, on":"2030-05-01T10:00:00+02:00","Where":"Hall"}\n{broken\n');
  const { events, refused } = await desk.run(file, '--map', 'title=What,start="From, on",venue=Where');
  assert.equal(events, row({ created: 1, refused: 1 }));
  assert.equal(
    refused.map(({ reason }) => reason),
    ['its line is not a JSON object'],
  );
  for (const map of ['size=Big', 'title', '/none.json'])
    assert.match(await desk.say(file, '--map', map).then(() => '', String), /--map must be FIELD=COLUMN/);
  assert.match(
    (await desk.run(desk.file('b.csv', 'a,b\n1,2\n'))).refused[0]?.reason ?? '',
    /no column is known to be the title/,
  );
});

test('dates with slashes have the day first where one of them could not be read otherwise', async ({ desk }) => {
  await desk.run(
    desk.file(
      'a.csv',
      'title,start,time\nFourth,04/03/2030,\nLast,31/03/2030 18:00,\nBoth,"May 5, 2030 - 4:00pm to 6:00pm",4:00pm\n',
    ),
  );
  assert.is((await desk.get('/events/by-slug/fourth')).start_date, '2030-03-04 00:00:00');
  assert.is((await desk.get('/events/by-slug/both')).start_date, '2030-05-05 16:00:00');
});

test('dates whose day and month may be swapped are pointed out with their lines, in a dry run, too', async ({
  desk,
}) => {
  const file = desk.file(
    'a.csv',
    'title,start,end\nIso,2030-04-03,\nFourth,04/03/2030 18:00,04/05/2030 19:00\nSame,05/05/2030,\nNone,04/03/2030,soon\nTenth,4.1.2030,\n',
  );
  const remark =
    'day and month may be swapped, and no other date shows their order; lines 3 (04/03/2030 18:00 = 2030-04-03), 3 (04/05/2030 19:00 = 2030-04-05), 6 (4.1.2030 = 2030-01-04)';
  for (const isDry of [['--dry-run'], []]) {
    const { lines } = await desk.say(file, ...isDry);
    assert.ok(lines.includes(`note: ${file}: ${remark}`), lines.join('\n'));
  }
  assert.ok((await desk.run(file)).remarks.includes(`${file}: ${remark}`));
});

test('of many such dates the first five are named, and one is enough to show the order of all others', async ({
  desk,
}) => {
  const days = Array.from({ length: 7 }, (_, index) => `Event ${index},0${index + 1}/09/2030`);
  const saidOf = async (last: string) => {
    const file = desk.file('a.csv', `title,start\n${[...days, last].join('\n')}\n`);
    return (await desk.run(file, '--dry-run')).remarks.filter((remark) => remark.includes('swapped'));
  };
  const [said = ''] = await saidOf('Last,2030-10-01');
  assert.match(said, /; lines 2 \(01\/09\/2030 = 2030-01-09\), .*, 6 \(05\/09\/2030 = 2030-05-09\), … \(\+2\)$/);
  assert.equal(await saidOf('Last,31/03/2030'), []);
  assert.equal(await saidOf('Last,03/31/2030'), []);
  assert.is((await saidOf('Last,31.03.2030')).length, 1, 'another separator may have another order');
  assert.is((await saidOf('Both,03/31/2030\nWays,31/03/2030')).length, 1);
});

test('bytes of Latin-1 and tabs are read', async ({ desk }) => {
  const file = path.join(desk.folder, 'a.tsv');
  writeFileSync(file, Buffer.from('Titel\tDatum\nM\u00fcll\t01.05.2030 19:00\n', 'latin1'));
  assert.equal((await desk.run(file)).events, row({ created: 1 }));
  assert.is((await desk.get('/events/by-slug/mull')).title, 'Müll');
});

test('what the export writes as CSV is read back into the same events, and never into the calendar it comes from', async ({
  desk,
}) => {
  const source = desk.file(
    'source.csv',
    [
      'id,title,start,end,timezone,all day,venue,city,lat,lng,organizer,category,tags,url,cost,description,featured',
      '1,"A, ""b"" & <c> 🎉",2030-05-01 19:00,2030-05-01 21:00,Europe/Vienna,,Hall|Shed,,,,Ann|Bob,"Music, live|Art",x|y,https://example.org/?a=1&b=2,$5,"<p>One</p>\n\n<p>Two, ""three""</p>",true',
      '1,=2+2,2030-10-27 02:30,2030-10-27 04:00,Europe/Vienna,,"Back\\slash",Graz,-1.5,2,,,,,,"@first\r\nsecond",',
      '2,Days,2030-06-01,2030-06-03,America/New_York,yes,,,,,,,,,,,',
      '3,Instant,2030-07-01T10:00:00Z,2030-07-01T11:00:00Z,Asia/Tokyo,,,,,,,,,,,,',
    ].join('\n'),
  );
  const first = await desk.run(source);
  assert.equal([first.code, first.events], [0, row({ created: 4 })]);
  const table = await exported(desk);
  const back = await openDesk();
  try {
    const file = back.file('events.csv', table);
    const read = await back.run(file);
    assert.equal([read.code, read.refused, read.events], [0, [], row({ created: 4 })]);
    assert.equal((await back.run(file)).events, row({ unchanged: 4 }));
    const all = '/events?per_page=50&start_date=2030-01-01&end_date=2031-01-01';
    const [here, there] = [await desk.get(all), await back.get(all)];
    const plain = ({ events }: Json) =>
      (events as Json[]).map((event) => {
        const {
          title,
          description,
          start_date,
          end_date,
          utc_start_date,
          timezone,
          all_day,
          cost,
          website,
          featured,
          slug,
        } = event;
        const { categories, tags, venue, organizer } = event;
        const linked = [names(categories), names(tags), namesOf(venue, 'venue'), namesOf(organizer, 'organizer')];
        const times = [start_date, end_date, utc_start_date, timezone, all_day];
        return [
          title,
          description,
          times,
          cost,
          website === event.url ? null : website,
          featured,
          slug,
          linked,
          placeOf(venue),
        ];
      });
    assert.is((here.events as Json[]).length, 4);
    assert.equal(plain(there), plain(here));
    const refused = await desk.run(desk.file('own.csv', table));
    assert.match(refused.refused[0]?.reason ?? '', /it comes from this very calendar/);
  } finally {
    await back.close();
  }
});

const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value : [value]) as Json[];
const namesOf = (value: unknown, member: string): unknown[] => listOf(value).map((one) => one[member]);
const placeOf = (value: unknown): unknown[] =>
  listOf(value).map(({ city, geo_lat, geo_lng }) => [city, geo_lat, geo_lng]);

test.run();
