import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Writable } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { exportCommand } from '../../../src/exchange/export/cli/export.ts';
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
    out: () => {},
    warn: () => {},
    progress: { begin() {}, reach() {}, end() {} },
    site: 'https://cal.example',
    signal: new AbortController().signal,
    now: () => 1_893_456_000,
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
      '"Brot & ""Käse"" <3 🎉";2030-05-01 19:00;2030-05-01 21:30;Saal; Graz ;Maria;Musik|Tanz;a|b;10 €;Europe/Vienna;"Zeile 1\r\nZeile 2";7\r\n' +
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
    assert.match(await desk.say(file, '--map', map).then(() => '', String), /It must be FIELD=COLUMN/);
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
    'title,start,end\nIso,2030-04-03,\nFourth,04/03/2030 18:00,04/05/2030 19:00\nSame,05/05/2030,\nNone,04/03/2030 sharpish,\nTenth,4.1.2030,\n',
  );
  const remark =
    'day and month may be swapped, and no other date shows their order; lines 3 (04/03/2030 18:00 = 2030-04-03), 3 (04/05/2030 19:00 = 2030-04-05)';
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

/** What a dry run says of a table: its rows as they would arrive, then what is refused. */
async function rowsOf(desk: Desk, content: string, ...more: string[]): Promise<readonly string[]> {
  const { lines } = await desk.say(desk.file('rows.csv', content), '--dry-run', ...more);
  return lines.flatMap(
    (line) => /^ {2}line \d+: (.*)$/.exec(line)?.[1] ?? /^refused: \S+rows\.csv: (.*)$/.exec(line)?.[1] ?? [],
  );
}

const TABLES: { readonly [writer: string]: readonly [table: string, rows: readonly string[]] } = {
  'German, where the begin is a time of day': [
    'Titel;Datum;Beginn;Ende;Ort;Preis\r\nJazz;12.06.2030;19:30 Uhr;21 Uhr;M;12,50 €\r\nLesung;13.06.2030;19.30;21.00;M;\r\nChor;Do, 14.06.2030;19h30;21h;M;\r\nMarkt;15.6.30;;;M;\r\nNacht;16.06.2030;22:00;04:00;M;\r\nEnde;17.06.2030;20:00;24:00;M;\r\n',
    [
      'Jazz; 2030-06-12 19:30:00 to 2030-06-12 21:00:00; venue M',
      'Lesung; 2030-06-13 19:30:00 to 2030-06-13 21:00:00; venue M',
      'Chor; 2030-06-14 19:30:00 to 2030-06-14 21:00:00; venue M',
      'Markt; 2030-06-15 to 2030-06-15; venue M',
      'Nacht; 2030-06-16 22:00:00 to 2030-06-17 04:00:00; venue M',
      'Ende; 2030-06-17 20:00:00 to 2030-06-18 00:00:00; venue M',
    ],
  ],
  'German, with words for days and a range of times': [
    'Veranstaltung;Tag;Uhrzeit;Ort;Veranstaltungsort\nJazz;Mittwoch, 12. Juni 2030;19:30 – 21:00 Uhr;Graz;Saal\nLesung;Do. 13.6.30;ab 20 Uhr;Graz;Saal\nAlles;14.06.2030;ganztägig;Graz;Saal\n',
    [
      'Jazz; 2030-06-12 19:30:00 to 2030-06-12 21:00:00; venue Saal',
      'Lesung; 2030-06-13 20:00:00 to 2030-06-13 20:00:00; venue Saal',
      'Alles; 2030-06-14 to 2030-06-14; venue Saal',
    ],
  ],
  'from and to, which are times': [
    'Veranstaltung;Tag;Von;Bis\nJazz;25.06.2030;19:30;21:00\n',
    ['Jazz; 2030-06-25 19:30:00 to 2030-06-25 21:00:00'],
  ],
  'days without a time at the end': [
    'Titel;Startdatum;Startzeit;Enddatum\nFest;12.06.2030;18:00;14.06.2030\nEins;12.06.2030;18:00;12.06.2030\n',
    ['Fest; 2030-06-12 18:00:00 to 2030-06-14 23:59:59', 'Eins; 2030-06-12 18:00:00 to 2030-06-12 18:00:00'],
  ],
  French: [
    'Titre;Date;Heure de début;Heure de fin;Lieu\nJazz;03/04/2030;19h30;21h00;Moulin\nBal;lundi 14 juin 2030;20 h;;Moulin\nFête;1er juillet 2030;à 14h;;Moulin\n',
    [
      'Jazz; 2030-04-03 19:30:00 to 2030-04-03 21:00:00; venue Moulin',
      'Bal; 2030-06-14 20:00:00 to 2030-06-14 20:00:00; venue Moulin',
      'Fête; 2030-07-01 14:00:00 to 2030-07-01 14:00:00; venue Moulin',
    ],
  ],
  Spanish: [
    'Título;Fecha;Hora de inicio;Hora de fin\nConcierto;12 de junio de 2030;20 h;22 h\nCharla;sábado, 3/4/2030;a las 19:30;21:00\n',
    ['Concierto; 2030-06-12 20:00:00 to 2030-06-12 22:00:00', 'Charla; 2030-04-03 19:30:00 to 2030-04-03 21:00:00'],
  ],
  Japanese: [
    'イベント名,開始日,開始時間,終了日,終了時間,場所名称,主催者,カテゴリー\n夏祭り,2030年6月12日,19時30分,2030年6月12日,午後9時,公園,市,祭り\n音楽会,令和12年6月13日(木),19:30,,21:00,公園,市,音楽\n',
    [
      '夏祭り; 2030-06-12 19:30:00 to 2030-06-12 21:00:00; venue 公園; organizer 市; terms 祭り',
      '音楽会; 2030-06-13 19:30:00 to 2030-06-13 21:00:00; venue 公園; organizer 市; terms 音楽',
    ],
  ],
  'a spreadsheet, with its numbers': [
    'Titel;Datum;Beginn;Ende\nJazz;47646;0,8125;0,875\nTag;47647;;\nJahr;2030;0,8125;\nKeiner;123;;\nEins;0;;\n',
    [
      'Jazz; 2030-06-12 19:30:00 to 2030-06-12 21:00:00',
      'Tag; 2030-06-13 to 2030-06-13',
      'refused: Jahr: start "2030 0,8125" is not a date',
      'refused: Keiner: start "123" is not a date',
      'refused: Eins: start "0" is not a date',
    ],
  ],
  'a spreadsheet, with moments as numbers': [
    'title,start,end\nSerial,47646.8125,47646.875\nRounded,47646.854166667,\nDay,47646,\n',
    [
      'Serial; 2030-06-12 19:30:00 to 2030-06-12 21:00:00',
      'Rounded; 2030-06-12 20:30:00 to 2030-06-12 20:30:00',
      'Day; 2030-06-12 to 2030-06-12',
    ],
  ],
  'a spreadsheet that names its delimiter': [
    'sep=;\r\nTitel;Datum;Beginn\r\nJazz;12.06.2030;19:30\r\n',
    ['Jazz; 2030-06-12 19:30:00 to 2030-06-12 19:30:00'],
  ],
  'a program that writes days as midnights': [
    'Event Name,Event Start Date,Event Start Time,Event End Date,Event End Time\nPlay,2030-06-25 00:00:00,18:00:00,2030-06-25T00:00:00,1900-01-00 19:00:00\n',
    ['Play; 2030-06-25 18:00:00 to 2030-06-25 19:00:00'],
  ],
  'Outlook in German': [
    '"Betreff","Beginnt am","Beginnt um","Endet am","Endet um","Ganztägiges Ereignis","Erinnerung um","Kategorien","Ort"\n"Chor","12.6.2030","19:30:00","12.6.2030","21:00:00","Aus","19:15:00","Musik, leise;Kultur","Aula"\n"Ferien","14.6.2030","00:00:00","16.6.2030","00:00:00","Ein","18:00:00","","Aula"\n',
    [
      'Chor; 2030-06-12 19:30:00 to 2030-06-12 21:00:00; venue Aula; terms Musik, leise, Kultur',
      'Ferien; 2030-06-14 to 2030-06-15; venue Aula',
    ],
  ],
  'Outlook in French, which names two columns alike': [
    '"Objet","Début","Début","Fin","Fin","Journée entière","Emplacement"\n"Concert","03/04/2030","19:30:00","03/04/2030","21:00:00","Faux","Salle"\n',
    ['Concert; 2030-04-03 19:30:00 to 2030-04-03 21:00:00; venue Salle'],
  ],
  'Google Calendar': [
    'Subject,Start Date,Start Time,End Date,End Time,All Day Event,Location,Private\nFinal,05/30/2030,10:00 AM,05/30/2030,1:00 PM,False,"Hall, 614",False\nDay,05/31/2030,,05/31/2030,,True,,False\nUntil midnight,06/01/2030,8:00 PM,06/01/2030,12:00 AM,False,,False\n',
    [
      'Final; 2030-05-30 10:00:00 to 2030-05-30 13:00:00; venue Hall, 614',
      'Day; 2030-05-31 to 2030-05-31',
      'Until midnight; 2030-06-01 20:00:00 to 2030-06-02 00:00:00',
    ],
  ],
};

for (const [writer, [table, rows]] of Object.entries(TABLES))
  test(`a table is read by its meaning: ${writer}`, async ({ desk }) => {
    assert.equal(await rowsOf(desk, table), rows);
  });

test('a column that may hold the times of the starts is a question, and nothing begins at midnight meanwhile', async ({
  desk,
}) => {
  const asked = (columns: string): string =>
    `its days have no time of start, and times may be in ${columns}. Try --map title=COLUMN,start=COLUMN,start_time=COLUMN, or without start_time for whole days`;
  for (const [table, columns] of [
    ['Titel;Datum;Einlass;Raum\nJazz;12.06.2030;19:30;7\n', 'Einlass'],
    ['Titel;Datum;Anpfiff\nSpiel;12.06.2030;15.30\n', 'Anpfiff'],
    ['Titel;Datum;Beginn\nJazz;12.06.2030;abends\n', 'Beginn'],
    ['title,start,kickoff\nGame,2030-06-12T00:00:00,7 pm\n', 'kickoff'],
    [`Titel;Datum;Einlass\n${'Tag;12.06.2030;\n'.repeat(300)}Jazz;12.06.2030;19:30\n`, 'Einlass'],
    ['Titel;Datum;Treff\nA;12.06.2030;19:30\nB;13.06.2030;am Tor\nC;14.06.2030;am See\n', 'Treff'],
  ] as const)
    assert.equal(await rowsOf(desk, table), [asked(columns)], table);
  const table = 'Titel;Datum;Einlass\nJazz;12.06.2030;19:30\n';
  assert.equal(await rowsOf(desk, table, '--map', 'title=Titel,start=Datum,start_time=Einlass'), [
    'Jazz; 2030-06-12 19:30:00 to 2030-06-12 19:30:00',
  ]);
  assert.equal(await rowsOf(desk, table, '--map', 'title=Titel,start=Datum'), ['Jazz; 2030-06-12 to 2030-06-12']);
  assert.equal(await rowsOf(desk, 'Titel;Datum;Ende\nJazz;12.06.2030;21:00\nTag;13.06.2030;\n'), [
    'refused: Jazz: it has a time of day at which it ends, and none at which it starts',
    'Tag; 2030-06-13 to 2030-06-13',
  ]);
  assert.equal(await desk.log(), []);
});

test('the columns that The Events Calendar documents are read: flags, currency, and lists with commas', async ({
  desk,
}) => {
  const head =
    'Event Name,Event Description,Event Excerpt,Event Start Date,Event Start Time,Event End Date,Event End Time,Event Time Zone,All Day Event,Hide Event From Event Listings,Event Sticky in Month View,Feature Event,Event Venue Name,Event Organizer Name(s) or ID(s),Event Show Map Link,Event Show Map,Event Cost,Event Currency Symbol,Event Currency Position,Event ISO Currency Code,Event Category,Event Tags,Event Website,Event Featured Image,Event Allow Comments,Event Allow Trackbacks and Pingbacks';
  const cells =
    'Play,A <b>play</b>,Short,2030-06-25,7:30 PM,2030-06-25,9:00 PM,Europe/Berlin,FALSE,TRUE,TRUE,TRUE,Old Mill,"Ann, Bob",TRUE,FALSE,20-30,€,postfix,EUR,"Music, Dance","a, b",https://hall.example/,https://hall.example/a.png,TRUE,TRUE';
  const { code, refused, remarks } = await desk.run(desk.file('tec.csv', `${head}\r\n${cells}\r\n`));
  assert.equal([code, refused], [0, []]);
  assert.match(
    remarks.join('\n'),
    /columns that are not used: Event ISO Currency Code, Event Allow Comments, Event Allow Trackbacks and Pingbacks$/m,
  );
  const event = await desk.get('/events/by-slug/play');
  const { hide_from_listings, sticky, featured, show_map, show_map_link, cost, website, timezone } = event;
  assert.equal(
    { hide_from_listings, sticky, featured, show_map, show_map_link, cost, website, timezone },
    {
      ...{ hide_from_listings: true, sticky: true, featured: true, show_map: false, show_map_link: true },
      ...{ cost: '20€ – 30€', website: 'https://hall.example/', timezone: 'Europe/Berlin' },
    },
  );
  assert.equal(
    [names(event.categories), names(event.tags), namesOf(event.organizer, 'organizer')],
    [
      ['Dance', 'Music'],
      ['a', 'b'],
      ['Ann', 'Bob'],
    ],
  );
});

test('for whom an event is, is read by its columns; what is none of it is left out', async ({ desk }) => {
  const rows = [
    'Titel;Datum;Barrierefreiheit;Alter;Sprachen;Anmeldung',
    'Puppen;12.06.2030;Aufzug;6–12;de, en;https://hall.example/seats',
    'Lesung;13.06.2030;;alle;Klingonisch;ja',
  ];
  assert.is((await desk.run(desk.file('audience.csv', rows.join('\n')))).code, 0);
  const { accessibility, age_range, languages, registration_url } = await desk.get('/events/by-slug/puppen');
  assert.equal(
    { accessibility, age_range, languages, registration_url },
    { accessibility: 'Aufzug', age_range: '6-12', languages: 'de, en', registration_url: 'https://hall.example/seats' },
  );
  const other = await desk.get('/events/by-slug/lesung');
  assert.equal([other.age_range, other.languages, other.registration_url], [undefined, undefined, undefined]);
});

test('tables of venues and of organizers are taken, and events find what they name in them', async ({ desk }) => {
  const venues = desk.file(
    'venues.csv',
    'Venue Name,Venue Description,Venue Country,Venue Address,Venue Address 2,Venue City,Venue State/Province,Venue Zip,Venue Phone,Venue Website,Venue Latitude,Venue Longitude\nOld Mill,A mill,Austria,Street 1,2nd floor,Graz,Styria,8010,+43 1,https://mill.example/,47.1,15.4\n,,,,,,,,,,,\n',
  );
  const organizers = desk.file(
    'organizers.csv',
    'Organizer Name,Organizer Description,Organizer Email,Organizer Website,Organizer Phone\nAnn,Text,ann@example.org,https://ann.example/,+1 2\n,Nameless,,,\n',
  );
  assert.equal((await desk.run(venues)).venues, row({ created: 1 }));
  const { organizers: written, refused } = await desk.run(organizers);
  assert.equal([written, refused[0]?.reason], [row({ created: 1, refused: 1 }), 'no name']);
  const events = desk.file(
    'events.csv',
    'Event Name,Event Start Date,Event Start Time,Event Venue Name,Event Organizer Name\nPlay,2030-06-25,7:30 PM,Old Mill,Ann\n',
  );
  const { venues: found, organizers: known } = await desk.run(events);
  assert.equal([found, known], [row({ unchanged: 1 }), row({ unchanged: 1 })]);
  const { venue, organizer } = await desk.get('/events/by-slug/play');
  const { address, city, stateprovince, zip, country, phone, website, geo_lat } = venue as Json;
  assert.equal(
    { address, city, stateprovince, zip, country, phone, website, geo_lat },
    {
      ...{ address: 'Street 1, 2nd floor', city: 'Graz', stateprovince: 'Styria', zip: '8010', country: 'Austria' },
      ...{ phone: '+43 1', website: 'https://mill.example/', geo_lat: 47.1 },
    },
  );
  assert.equal(namesOf(organizer, 'email'), ['ann@example.org']);
});

test('an encoding that nothing says is told, and chosen by an option', async ({ desk }) => {
  const bytes = Buffer.concat([Buffer.from('Title,Start\n'), Buffer.from([0xc8, 0xe1]), Buffer.from('p,2030-05-01\n')]);
  const file = desk.file('a.csv', '');
  writeFileSync(file, bytes);
  const guessed = await desk.say(file, '--dry-run');
  assert.match(
    guessed.lines.join('\n'),
    'a.csv: nothing says its encoding; it was read as windows-1252, in which a word is "Èáp". Save it as UTF-8, or choose its encoding',
  );
  const chosen = await desk.say(file, '--dry-run', '--encoding', 'windows-1250');
  assert.match(chosen.lines.join('\n'), 'Čáp');
  assert.not.match(chosen.lines.join('\n'), 'nothing says its encoding');
});

test('a row that its table keeps from the public is private, and a status that is not known publishes nothing', async ({
  desk,
}) => {
  const file = desk.file(
    'a.csv',
    [
      'Subject,Start Date,Start Time,Private,Sensitivity,Published,Status',
      'Open,06/25/2030,7:30 PM,False,Normal,yes,Active',
      'Plain,06/25/2030,7:30 PM,,,,',
      'Private,06/25/2030,7:30 PM,True,Normal,,',
      'Confidential,06/25/2030,7:30 PM,False,Confidential,,',
      'Unpublished,06/25/2030,7:30 PM,,,no,',
      'Draft,06/25/2030,7:30 PM,,,,Draft',
      'Checked,06/25/2030,7:30 PM,,,,in review',
      'Off,06/25/2030,7:30 PM,,,,Cancelled',
    ].join('\n'),
  );
  const { notes } = await desk.run(file);
  assert.equal(
    notes.map(({ name, reason }) => [name, reason]),
    [['Checked', 'taken as a draft: its status "in review" is not known']],
  );
  const log = await desk.log();
  const factsOf = (title: string): unknown => {
    const { stream } = log.find(({ type, data }) => type === 'EventDrafted' && (data as Json).title === title) ?? {};
    return log.flatMap(({ stream: of, type }) => (of === stream && type !== 'EventDrafted' ? [type] : []));
  };
  for (const title of ['Private', 'Confidential', 'Unpublished']) assert.equal(factsOf(title), ['EventMadePrivate']);
  for (const title of ['Draft', 'Checked']) assert.equal(factsOf(title), []);
  const { events } = await desk.get('/events?per_page=50&start_date=2030-01-01&end_date=2031-01-01');
  assert.equal((events as Json[]).map(({ title }) => title).sort(), ['Off', 'Open', 'Plain']);
});

test('venues of a table are the same only if name and town agree', async ({ desk }) => {
  const head = 'title,start,venue,city,state\n';
  const table = `${head}A,2030-06-12 10:00,City Park,Springfield,IL\nB,2030-06-13 10:00,City Park,Springfield,MA\nC,2030-06-14 10:00,City Park,Denver,CO\nD,2030-06-15 10:00,City Park,Denver,CO\n`;
  assert.equal((await desk.run(desk.file('a.csv', table))).venues, row({ created: 3 }));
  const other = desk.file(
    'b.csv',
    `${head}E,2030-06-16 10:00,City Park,Denver,CO\nF,2030-06-16 10:00,city park,Boise,ID\n`,
  );
  assert.equal((await desk.run(other)).venues, row({ created: 1, unchanged: 1 }));
  for (const [slug, state] of [
    ['a', 'IL'],
    ['b', 'MA'],
    ['c', 'CO'],
    ['d', 'CO'],
    ['e', 'CO'],
    ['f', 'ID'],
  ] as const)
    assert.is(((await desk.get(`/events/by-slug/${slug}`)).venue as Json).stateprovince, state);
});

test('commas separate categories only where the table says so, and tags everywhere', async ({ desk }) => {
  const remark = 'commas do not separate categories; line 2 has some. Try | between them';
  const file = desk.file(
    'a.csv',
    'title,start,category,tags\nA,2030-06-12 10:00,"Arts, Crafts","a, b"\nB,2030-06-12 10:00,Arts|Crafts,\n',
  );
  assert.ok((await desk.run(file)).remarks.includes(`${file}: ${remark}`));
  const { categories, tags } = await desk.get('/events/by-slug/a');
  assert.equal([names(categories), names(tags)], [['Arts, Crafts'], ['a', 'b']]);
  assert.equal(names((await desk.get('/events/by-slug/b')).categories), ['Arts', 'Crafts']);
});

const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value : [value]) as Json[];
const namesOf = (value: unknown, member: string): unknown[] => listOf(value).map((one) => one[member]);
const placeOf = (value: unknown): unknown[] =>
  listOf(value).map(({ city, geo_lat, geo_lng }) => [city, geo_lat, geo_lng]);

test.run();
