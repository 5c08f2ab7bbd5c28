// Days, times of day and headings of tables in the forms in which people and programs write them, read in memory.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { decodeWithGuess } from '../../../src/exchange/import/decode-text.ts';
import { readTable } from '../../../src/exchange/import/formats/table/records.ts';
import { readCsv } from '../../../src/exchange/import/formats/table/rows.ts';
import { clockOf, clocksOf } from '../../../src/exchange/import/formats/table/written-dates.ts';
import { zoneNamed } from '../../support/given.ts';

const test = suite('forms of tables');

const SOURCE = {
  ...{ file: 'a.csv', topic: 'a', mapping: undefined, ownOrigin: null },
  ...{ now: Date.UTC(2030, 0, 1) / 1000, siteZone: zoneNamed('Europe/Berlin') },
};

/** Each event as `title; start to end; what else is named`. */
async function rowsOf(
  table: string,
  ...members: readonly ('cost' | 'status' | 'venue' | 'zone')[]
): Promise<readonly string[]> {
  const { readings } = readTable(await readCsv(table), SOURCE);
  return readings.flatMap(({ plan, faults }) => [
    ...plan.events.map(({ input: { title, times, cost, status = 'publish', eventStatus } }) =>
      [
        `${title}; ${times?.start} to ${times?.end}`,
        ...members.map(
          (member) =>
            ({
              ...{ cost, status: eventStatus ?? status, zone: times?.timezone },
              venue: plan.venues.map(({ input }) => input.name).join(),
            })[member],
        ),
      ].join('; '),
    ),
    ...faults.map(({ reason }) => `refused: ${reason}`),
  ]);
}

/** The times of a row, and what is noted of it. */
async function endOf(table: string): Promise<string> {
  const [read] = readTable(await readCsv(table), SOURCE).readings;
  const [times] = read?.plan.events.map(({ input }) => input.times) ?? [];
  const said = [...(read?.remarks ?? []).map(({ text }) => text), ...(read?.faults ?? []).map(({ reason }) => reason)];
  return [`${times?.start} to ${times?.end}`, ...said].join('; ');
}

const ENDS_OPEN: readonly string[] = [
  ...[
    'open end',
    'Open End',
    'offen',
    'TBA',
    '?',
    'late',
    'until late',
    'bis spät',
    'fin',
    '-',
    '–',
    '—',
    'n/a',
    'tbd',
  ],
  ...['ende offen', 'до конца', '未定', '未定', 'when it is over', '25:99', '31.02.2030', 'x'.repeat(300)],
];
const without = (end: string): string => `; taken without its end: "${end.slice(0, 60)}" cannot be read`;

test('an end that cannot be read costs the end, and nothing else', async () => {
  for (const end of ENDS_OPEN) {
    for (const [head, start, begins] of [
      ['title,start,end', '2030-03-12 19:00', '2030-03-12 19:00:00'],
      ['title,start,end', '2030-03-12', '2030-03-12'],
      ['Titel,Datum,Beginn,Ende', '12.3.2030,19 Uhr', '2030-03-12 19:00:00'],
      ['title,date,start time,end time', '2030-03-12,7 pm', '2030-03-12 19:00:00'],
    ])
      assert.is(await endOf(`${head}\nA,${start},${end}\n`), `${begins} to ${begins}${without(end)}`, head);
    // What else says when it ends is read.
    const both = 'title,start date,start time,end date,end time';
    const fair = '2030-03-12 19:00:00 to 2030-03-12 22:00:00';
    assert.is(await endOf(`${both}\nA,2030-03-12,19:00,${end},22:00\n`), fair + without(end));
    assert.is(
      await endOf(`${both}\nA,2030-03-12,19:00,2030-03-14,${end}\n`),
      `2030-03-12 19:00:00 to 2030-03-14 23:59:59${without(end)}`,
    );
    assert.is(await endOf(`title,date,time,until\nA,2030-03-12,19:00-22:00,${end}\n`), fair + without(end));
    assert.is(await endOf(`title,date,until\nA,12.-14.3.2030,${end}\n`), `2030-03-12 to 2030-03-14${without(end)}`);
  }
  const twice = 'title,start,start time,end time\nA,"March 12, 2030 - 4:30pm to 6:00pm",4:30pm,6:00pm\n';
  assert.is(await endOf(twice), '2030-03-12 16:30:00 to 2030-03-12 18:00:00', 'two times of one end');
  const moments: readonly (readonly [cell: string, time: string, clocks: readonly [from: string, to: string]])[] = [
    ['Tuesday, March 12, 2030 - 7:00pm', '7:00pm', ['19:00', '19:00']],
    ['March 12, 2030 @ 3:00 pm - 4:30 pm', '3:00 pm', ['15:00', '16:30']],
    ['March 12, 2030 • 1:30 PM – 3 PM', '1:30 PM', ['13:30', '15:00']],
    ['Tuesday, March 12, 2030', '12:00 noon', ['12:00', '12:00']],
  ];
  for (const [cell, time, [from, to]] of moments)
    assert.is(
      await endOf(`title,start,start time\nA,"${cell}",${time}\n`),
      `2030-03-12 ${from}:00 to 2030-03-12 ${to}:00`,
      cell,
    );
  const { remarks } = readTable(await readCsv('title,start,end\nA,2030-03-12,soon\n'), SOURCE);
  assert.equal(
    remarks,
    ['a.csv: columns were taken as title=title, start=start, end=end'],
    'it is no date without a year',
  );
  assert.match(await endOf('title,start,end\nA,offen,2030-03-12 19:00\n'), /; start "offen" is not a date$/);
  assert.match(
    await endOf('title,start,start time\nA,2030-03-12,offen\n'),
    /; start "2030-03-12 offen" is not a date$/,
  );
});

test('a table whose titles are its descriptions keeps drafts from the public and has its places', async () => {
  assert.equal(
    await rowsOf(
      'Date,Description,Zustand,City\n2027-05-01,Fair,draft,Leeds\n2027-05-02,Walk,published,York',
      'status',
      'venue',
    ),
    ['Fair; 2027-05-01 to 2027-05-01; private; Leeds', 'Walk; 2027-05-02 to 2027-05-02; publish; York'],
  );
});

const NOT_FOR_ALL: readonly string[] = [
  ...[
    'Not public',
    'Nicht öffentlich',
    'Non publique',
    'No público',
    'Niet openbaar',
    'Do not publish',
    'Ne pas publier',
  ],
  ...['Besloten', 'Nur Mitglieder', 'Geschlossene Gesellschaft', 'Ausblenden', 'Oculto', 'Masqué', '会員限定', 'Hide?'],
];
const FOR_ALL: readonly string[] = [
  'Publish?',
  'Visible',
  'Show on website',
  'Auf Website anzeigen',
  'Veröffentlichen',
  'Publier',
];

test('a column that keeps events from the public does so in the words and negations of each language', async () => {
  const of = (head: string, mark: string) => rowsOf(`Title,Date,${head}\nA,2030-03-12,${mark}\n`, 'status');
  const [kept, open] = ['private', 'publish'].map((status) => [`A; 2030-03-12 to 2030-03-12; ${status}`]);
  for (const head of NOT_FOR_ALL) {
    assert.equal([await of(head, 'x'), await of(head, 'no'), await of(head, '')], [kept, open, open], head);
  }
  for (const head of FOR_ALL)
    assert.equal([await of(head, 'no'), await of(head, 'x'), await of(head, '')], [kept, open, open], head);
});

test('days of several stand under headings in the plural, too', async () => {
  for (const head of ['Dates', 'Termine', 'Zeitraum', 'Période', 'Fechas', '日程', 'Date range', 'Event dates'])
    assert.equal(await rowsOf(`Title\t${head}\nA\t12.–14.3.2030\n`), ['A; 2030-03-12 to 2030-03-14'], head);
});

test('numbers below such a heading are no time of day, and several days are none', async () => {
  const lesson = await rowsOf('Title\tStart\tEnd\tZeitraum\nA\t2030-03-12 10:00\t2030-03-12 11:00\t3\n');
  assert.equal(lesson, ['A; 2030-03-12 10:00:00 to 2030-03-12 11:00:00']);
  assert.equal(await rowsOf('Title\tDate\tPeriod\nA\t2030-03-12\t2\n'), ['A; 2030-03-12 to 2030-03-12']);
  const several = await rowsOf('Title\tDate\nA\t2030-03-12, 2030-03-14\n');
  assert.match(several.join(), /"2030-03-12, 2030-03-14" is not a date/);
});

const CLOCKS: { readonly [clock: string]: string } = {
  '20:30:00': [
    '20h30, 20 h 30, 20H30, 20h30min, 20u30, 20:30u, 20:30 hs, 20.30 uur, 20 Uhr 30, 20 heures 30, kl. 20.30, godz. 20:30',
    'ore 20.30, alle ore 20:30, dalle 20.30, às 20h30, od 20:30, 8:30 p. m., 8:30 P.M., 8.30pm, 午後8:30, 午後8時30分, 오후 8시 30분, 晚上8点30分, 下午8:30, 20시30분',
  ].join(', '),
  '12:00:00': 'noon, 12 noon, midi, mittags, mediodía, 12 p.m., 12h, 12 uur, 0.5',
  '00:30:00': '12:30 a.m., 12:30 AM, 0h30, 0:30 Uhr, 오전 12시 30분',
};

test('a time of day is one in each form in which it is written', () => {
  for (const [clock, forms] of Object.entries(CLOCKS))
    for (const form of forms.split(', ')) assert.is(clockOf(form), clock, form);
  for (const form of ['TBA', 'half eight', '25:00', '7:60', '8:30:99', '13 pm', 'room 7'])
    assert.is(clockOf(form), null, form);
});

const EVENING = '19:00:00 21:00:00';
const RANGES: readonly (readonly [form: string, clocks: string])[] = [
  ...[
    ...[
      '7-9 pm',
      '7–9pm',
      'from 7 to 9 p.m.',
      '7 pm - 9',
      '7 pm – 9 pm',
      '午後7時〜9時',
      '午後7時〜午後9時',
      '19-21 Uhr',
    ],
    ...[
      'von 19 bis 21 Uhr',
      'de 19h à 21h',
      'dalle 19 alle 21',
      'das 19h às 21h',
      'van 19 tot 21 uur',
      'od 19:00 do 21:00',
    ],
  ].map((form) => [form, EVENING] as const),
  ['11-1 pm', '11:00:00 13:00:00'],
  ['10 pm - 2', '22:00:00 02:00:00'],
  ['22:00 - 2 am', '22:00:00 02:00:00'],
  ['9 am - 1', '09:00:00 13:00:00'],
];

test('of two times of day one may say for both that it is evening', () => {
  for (const [form, clocks] of RANGES) assert.is(clocksOf(form)?.join(' '), clocks, form);
});

const TWELFTH: readonly string[] = [
  ...['12/mar/2030', '12-mrt-2030', '12-Mär-30', '12. Maerz 2030', 'Dienstag, den 12. März 2030', '12 marca 2030'],
  ...['wtorek, 12 marca 2030 r.', '12. března 2030', 'terça-feira, 12 de março de 2030', '12º de março de 2030'],
  ...['Mar 12th, 2030', '12th of March 2030', 'marzo 12, 2030', '12 mars 2030', '2030年3月12日（火）', '47554'],
  ...['tisdag 12 mars 2030', 'tirsdag den 12. marts 2030', 'ti 12. maaliskuuta 2030', 'úterý 12. března 2030'],
  ...['2030. március 12.', '2030. III. 12.', '12 Mart 2030 Salı', '12 Mar 2030', '١٢.٠٣.٢٠٣٠', '12. III. 2030'],
];

const DAYS: { readonly [days: string]: readonly string[] } = {
  '2030-03-12 to 2030-03-14': [
    ...[
      '12.–14.3.2030',
      '12. - 14. März 2030',
      '12.3.2030 bis 14.3.2030',
      'Di, 12.3. – Do, 14.3.2030',
      '12-14 mars 2030',
    ],
    ...['12–14 March 2030', '12th–14th of March 2030', 'March 12-14, 2030', 'Tue 12 March to Thu 14 March 2030'],
    ...['2030-03-12/2030-03-14', '2030-03-12 to 2030-03-14', 'Mar 12, 2030 → Mar 14, 2030', '12/03/2030 - 14/03/2030'],
    ...['du 12 au 14 mars 2030', 'del 12 al 14 de marzo de 2030', 'dal 12 al 14 marzo 2030', '12 t/m 14 maart 2030'],
    ...['2030年3月12日〜14日', '2030年3月12日～3月14日', '12.–14. maaliskuuta 2030', '2030. március 12–14.'],
  ],
  '2030-03-12 to 2030-03-13': [
    '12 & 13 March 2030',
    '12./13. März 2030',
    '12 et 13 mars 2030',
    'March 12 and 13, 2030',
  ],
  '2029-12-30 to 2030-01-02': ['30.12.–2.1.2030', '30. Dezember 2029 bis 2. Januar 2030', '30 Dec – 2 Jan 2030'],
  '2030-03-12 19:00:00 to 2030-03-12 21:00:00': [
    ...['March 12, 2030, 7:00 PM - 9:00 PM', '12.3.2030 19–21 Uhr', 'Mar 12, 2030 7:00 PM → 9:00 PM'],
    '2030-03-12 19:00-21:00',
  ],
  '2030-03-12 19:00:00 to 2030-03-13 01:00:00': ['March 12, 2030 7pm – March 13, 2030 1am', '2030-03-12, 19–1 Uhr'],
};

test('a cell with two days is an event of all days from one to the other', async () => {
  for (const [days, forms] of Object.entries(DAYS))
    for (const form of forms) assert.equal(await rowsOf(`title\tstart\nA\t${form}\n`), [`A; ${days}`], form);
  assert.equal(await rowsOf('title\tstart\ttime\nA\t12.–14.3.2030\t10–18 Uhr\n'), [
    'A; 2030-03-12 10:00:00 to 2030-03-14 18:00:00',
  ]);
  // Those between them are not meant.
  for (const form of ['12 & 20 March 2030', '12, 14 and 16 March 2030', '14.–12.3.2030'])
    assert.equal(await rowsOf(`title\tstart\nA\t${form}\n`), [`refused: start "${form}" is not a date`]);
});

const FAIR = 'A; 2030-03-12 10:00:00 to 2030-03-14 18:00:00';
const PAIRS: readonly string[] = [
  ...['Date,Time,Date,Time', 'Start date,Start time,End date,End time', 'Datum,Uhrzeit,Datum,Uhrzeit'],
  ...['Datum von,Uhrzeit von,Datum bis,Uhrzeit bis', 'von Datum,von Zeit,bis Datum,bis Zeit'],
  ...['Beginn Datum,Beginn Uhrzeit,Ende Datum,Ende Uhrzeit', 'Startdatum,Startuhrzeit,Enddatum,Enduhrzeit'],
  ...['Anfangsdatum,Anfangszeit,Schlussdatum,Schlusszeit', 'Début (date),Début (heure),Fin (date),Fin (heure)'],
  ...['Fecha inicial,Hora,Fecha final,Hora final', 'Startdatum,Starttid,Slutdatum,Sluttid'],
  ...['Startdato,Starttidspunkt,Slutdato,Sluttidspunkt', 'Startdato,Klokkeslett,Sluttdato,Slutt klokkeslett'],
  ...['Alkupäivä,Alkuaika,Loppupäivä,Loppuaika', 'Datum začátku,Čas začátku,Datum konce,Čas konce'],
  ...['Kezdő dátum,Kezdés,Záró dátum,Befejezés', 'Başlangıç tarihi,Başlangıç saati,Bitiş tarihi,Bitiş saati'],
  ...['Data od,Godzina od,Data do,Godzina do'],
];

test('days and times are two pairs in the words of each language, in any order', async () => {
  const cells = ['12.03.2030', '10:00', '14.03.2030', '18:00'];
  for (const pair of PAIRS) {
    assert.equal(await rowsOf(`Title,${pair}\nA,${cells.join()}\n`), [FAIR], pair);
    const [date = '', time = '', endDate = '', endTime = ''] = pair.split(',');
    const swapped = `${time},${date},Title,${endTime},${endDate}\n10:00,12.03.2030,A,18:00,14.03.2030\n`;
    assert.equal(await rowsOf(swapped), [FAIR], pair);
  }
  // What names a day of the week is neither an end nor a tag.
  for (const heads of ['Day,Date,Time,Title', 'Tag,Datum,Zeit,Titel'])
    assert.equal(await rowsOf(`${heads}\nTue,12.03.2030,10:00,A\n`), ['A; 2030-03-12 10:00:00 to 2030-03-12 10:00:00']);
});

const FROM_NINE: readonly string[] = [
  ...['à partir de 21 h', 'dès 21h', 'ab 21 Uhr', 'from 9 pm', 'a partir de las 21 h', 'desde las 21:00', 'dalle 21'],
  ...[
    'a partire dalle 21',
    'vanaf 21 uur',
    'a partir das 21h',
    '21時から',
    '午後9時〜',
    '21:00より',
    '21시부터',
    '21:00 –',
  ],
];

test('a time from which on something takes place is where it begins, behind a day as well', async () => {
  for (const form of FROM_NINE) assert.is(clockOf(form), '21:00:00', form);
  const table = `title\tstart\n${FROM_NINE.map((form) => `A\t2030-03-12 ${form}\n`).join('')}`;
  for (const [at, row] of (await rowsOf(table)).entries())
    assert.is(row, 'A; 2030-03-12 21:00:00 to 2030-03-12 21:00:00', FROM_NINE[at]);
  for (const form of ['bis 21 Uhr', 'until 9 pm', 'jusqu’à 21h', 'から21時', '21からの映画'])
    assert.is(clockOf(form), null, form);
});

test('merged cells of days: a row with a time is on the day above it, and that is told', async () => {
  const read = async (table: string) =>
    readTable(await readCsv(table), SOURCE).remarks.filter((one) => /day/.test(one));
  const merged = 'Datum;Zeit;Titel\n12.03.2030;10:00;A\n;11:00;B\n;;C\n;12:00;D\n13.03.2030;9:00;E\n';
  const at = (day: string, time: string): string => `2030-03-${day} ${time} to 2030-03-${day} ${time}`;
  assert.equal(await rowsOf(merged), [
    `A; ${at('12', '10:00:00')}`,
    `B; ${at('12', '11:00:00')}`,
    'refused: no start',
    // What is above is not known behind a row with neither.
    'refused: no start',
    `E; ${at('13', '09:00:00')}`,
  ]);
  assert.equal(await read(merged), [
    'a.csv: rows without a day were put on that of the row above; lines 3 (12.03.2030 = 2030-03-12)',
  ]);
  // A row that has nothing but a day heads those below it.
  const headed = 'Datum;Zeit;Titel\n12.03.2030;;\n;10:00;A\n13.03.2030;;\n14.03.2030;;B\n;11:00;C\n';
  assert.equal(await rowsOf(headed), [
    `A; ${at('12', '10:00:00')}`,
    'refused: no title',
    'B; 2030-03-14 to 2030-03-14',
    `C; ${at('14', '11:00:00')}`,
  ]);
  for (const table of ['Datum;Titel\n12.03.2030;A\n;B\n', 'Datum;Zeit;Titel\n;10:00;B\n'])
    assert.equal((await rowsOf(table)).at(-1), 'refused: no start', table);
});

test('a pattern of days in words is refused with its line, and never one date', async () => {
  const patterns = [
    ...['every Monday', 'jeden Montag', 'montags', 'tous les lundis', 'cada lunes', 'ogni lunedì', 'elke maandag'],
    ...['todas as segundas', '毎週月曜日', 'Mo-Fr', 'täglich', '1st Monday of the month', 'Montag', 'lunes', '月曜日'],
    ...['12 March 2030 (weekly)', '12.03.2030 (monatlich)', '2030年3月12日（毎週）', 'jeden Montag ab 12.03.2030'],
    ...['weekly, 12 March 2030', '12., 19. und 26. März 2030', 'bis 12.03.2030', 'until 12 March 2030'],
  ];
  const { readings } = readTable(
    await readCsv(`title\tstart\n${patterns.map((pattern) => `A\t${pattern}\n`).join('')}`),
    SOURCE,
  );
  for (const [index, { plan, faults }] of readings.entries()) {
    assert.equal(plan.events, [], patterns[index]);
    assert.is(faults[0]?.place.line, index + 2);
  }
});

const MATCHES: readonly (readonly [heads: string, day: string])[] = [
  ['Date,Home,Away', '2030-03-12'],
  ['Datum,Heim,Gast', '12.03.2030'],
  ['Datum,Heimmannschaft,Gastmannschaft', '12.03.2030'],
  ['Date,Domicile,Extérieur', '12/03/2030'],
  ['Fecha,Local,Visitante', '12/03/2030'],
  ['Data,Casa,Ospite', '12/03/2030'],
  ['Datum,Thuis,Uit', '12-03-2030'],
  ['Data,Casa,Fora', '12/03/2030'],
  ['日付,ホーム,アウェイ', '2030/03/12'],
];

test('both sides of a match are its title', async () => {
  for (const [heads, day] of MATCHES)
    assert.equal(
      await rowsOf(`${heads}\n${day},SV Nord,FC Süd\n`),
      ['SV Nord – FC Süd; 2030-03-12 to 2030-03-12'],
      heads,
    );
  assert.equal(await rowsOf('Datum,Heim,Gast\n12.03.2030,SV Nord,\n'), ['SV Nord; 2030-03-12 to 2030-03-12']);
  assert.equal(await rowsOf('Titel,Datum,Heim,Gast\nPokal,12.03.2030,A,B\n'), ['Pokal; 2030-03-12 to 2030-03-12']);
  const alone = async () => (await rowsOf('Datum,Heim\n12.03.2030,A\n')).join();
  assert.match(await alone().catch((error: Error) => error.message), 'no column is known to be the title');
});

test('a date without a year is told', async () => {
  const { remarks } = readTable(await readCsv('Title,Start\nA,12 May\nB,12 May 2030\nC,3.4.30\n'), {
    ...{ file: 'a.csv', topic: 'a', mapping: undefined, ownOrigin: null },
    ...{ now: Date.UTC(2030, 0, 1) / 1000, siteZone: zoneNamed('Europe/Berlin') },
  });
  assert.equal(
    remarks.filter((remark) => remark.includes('year')),
    ['a.csv: dates without a year were taken in that of now; lines 2 (12 May = 2030-05-12)'],
  );
});

test('a day is one in the words of each language', async () => {
  const table = `title\tstart\n${TWELFTH.map((day) => `A\t${day}\n`).join('')}`;
  for (const [at, row] of (await rowsOf(table)).entries()) assert.is(row, 'A; 2030-03-12 to 2030-03-12', TWELFTH[at]);
});

const MOMENTS: readonly string[] = [
  ...['Tuesday, March 12, 2030 at 7:30 PM', '12 marzo 2030 ore 19.30', '12 mars 2030 à 19h30', '47554,8125'],
  ...['2030年3月12日（火）19:30', '2030年3月12日 午後7時30分', '12.03.2030 um 19.30 Uhr', '12 maart 2030 om 19.30 uur'],
];

test('a moment is one in the words of each language, and what is behind it is not left out without a word', async () => {
  const table = `title\tstart\n${MOMENTS.map((moment) => `A\t${moment}\n`).join('')}`;
  for (const [at, row] of (await rowsOf(table)).entries())
    assert.is(row, 'A; 2030-03-12 19:30:00 to 2030-03-12 19:30:00', MOMENTS[at]);
  const unread = await rowsOf('title\tstart\nA\t2030-03-12T19:30:00[Europe/Rome]\nB\t2030-03-12 19:30 sharpish\n');
  assert.equal(unread, [
    'refused: start "2030-03-12T19:30:00[Europe/Rome]" is not a date',
    'refused: start "2030-03-12 19:30 sharpish" is not a date',
  ]);
  assert.equal(await rowsOf('Titel;Datum\nA;31/03/2030 - 4:00pm to 6:00pm\nB;04/03/2030 - 4:00pm to 6:00pm\n'), [
    'A; 2030-03-31 16:00:00 to 2030-03-31 18:00:00',
    'B; 2030-03-04 16:00:00 to 2030-03-04 18:00:00',
  ]);
});

const NINE_TO_TEN = 'A; 2030-03-16 09:00:00 to 2030-03-16 10:00:00; ';
const WHOLE_DAY = 'B; 2030-03-17 to 2030-03-17; private; ';
/** Without commas in cells; as Outlook writes it, with a day off that is private. */
const outlook = (head: string, [no, yes]: readonly [string, string]): string =>
  `${head}\nA,16.3.2030,9:00:00,16.3.2030,10:00:00,${no},M,${no}\nB,17.3.2030,0:00:00,18.3.2030,0:00:00,${yes},M,${yes}\n`;

const OUTLOOKS: readonly string[] = [
  outlook('Onderwerp,Begindatum,Begintijd,Einddatum,Eindtijd,Duurt hele dag,Locatie,Privé', ['Onwaar', 'Waar']),
  outlook(
    'Assunto,Data de Início,Hora de Início,Data de Término,Hora de Término,Evento de dia inteiro,Local,Particular',
    ['Falso', 'Verdadeiro'],
  ),
  outlook('Oggetto,Data di inizio,Ora di inizio,Data di fine,Ora di fine,Giornata intera,Luogo,Privato', [
    'FALSO',
    'VERO',
  ]),
  outlook('Ämne,Startdatum,Starttid,Slutdatum,Sluttid,Heldag,Plats,Privat', ['Falskt', 'Sant']),
  outlook('Emne,Startdato,Starttidspunkt,Slutdato,Sluttidspunkt,Heldagsbegivenhed,Sted,Privat', ['Falsk', 'Sand']),
  outlook('Aihe,Alkupäivä,Alkuaika,Loppupäivä,Loppuaika,Koko päivän tapahtuma,Paikka,Yksityinen', ['Epätosi', 'Tosi']),
  outlook('Tárgy,Kezdő dátum,Kezdő idő,Záró dátum,Záró idő,Egész napos esemény,Hely,Magánjellegű', ['Hamis', 'Igaz']),
  outlook(
    'Temat,Data rozpoczęcia,Czas rozpoczęcia,Data zakończenia,Czas zakończenia,Wydarzenie całodniowe,Lokalizacja,Prywatne',
    ['Fałsz', 'Prawda'],
  ),
];

test('Outlook is read in nine languages', async () => {
  for (const table of OUTLOOKS)
    assert.equal(await rowsOf(table, 'status', 'venue'), [`${NINE_TO_TEN}publish; M`, `${WHOLE_DAY}M`], table);
});

const CONCERT = 'A; 2030-03-16 20:30:00 to 2030-03-16 22:00:00; M; 5 €';
const HEADINGS: readonly string[] = [
  'Naam evenement;Datum;Tijd;Waar;Toegang\nA;za 16 maart 2030;20.30 - 22.00 uur;M;5 €\n',
  'Evenement;Startdatum;Starttijd;Eindtijd;Zaal;Prijs\nA;16/03/2030;20u30;22u00;M;5 €\n',
  'Evento;Data;Horário;Local;Entrada\nA;16 de março de 2030;das 20h30 às 22h;M;5 €\n',
  'Título;Data de início;Hora de início;Data de término;Hora de término;Local;Preço\nA;16/03/2030;20h30;16/03/2030;22h;M;5 €\n',
  'Evento;Giorno;Ore;Dove;Ingresso\nA;sabato 16 marzo 2030;dalle 20.30 alle 22;M;5 €\n',
  'Tytuł;Data rozpoczęcia;Godzina rozpoczęcia;Godzina zakończenia;Miejsce;Cena\nA;16.03.2030;20:30;22:00;M;5 €\n',
  'Nombre del evento;Fecha;Hora;Hasta;Lugar;Precio\nA;16/03/2030;20:30 h;22:00 h;M;5 €\n',
  "Événement;Date de l'événement;Heure;Fin;Salle;Tarif\nA;samedi 16 mars 2030;20h30;22h;M;5 €\n",
  'Evenemang;Datum;Tid;Plats;Entré\nA;lördag 16 mars 2030;kl. 20.30–22.00;M;5 €\n',
  'Arrangement;Dato;Tidspunkt;Sted;Pris\nA;lørdag den 16. marts 2030;kl. 20.30-22;M;5 €\n',
  'Tapahtuma;Päivämäärä;Kellonaika;Paikka;Hinta\nA;la 16.3.2030;klo 20.30–22;M;5 €\n',
  'Akce;Datum;Čas;Místo konání;Vstupné\nA;16. března 2030;20:30–22:00;M;5 €\n',
  'Esemény;Dátum;Időpont;Helyszín;Belépő\nA;2030. március 16.;20:30–22:00;M;5 €\n',
  'Etkinlik;Tarih;Saat;Mekan;Ücret\nA;16 Mart 2030;20:30–22:00;M;5 €\n',
  'What;When;Where;Price\nA;March 16, 2030, 8:30 PM - 10:00 PM;M;5 €\n',
  'Was;Wann;Uhrzeit;Wo;Preis\nA;16.03.2030;20:30–22 Uhr;M;5 €\n',
  'Event|Date|Time|AM/PM|End time|Venue|Ticket price\nA|3/16/2030|8:30|PM|10:00|M|5 €\n',
];

test('headings are found in more languages, with "of the event" behind them, and between bars', async () => {
  for (const table of HEADINGS) assert.equal(await rowsOf(table, 'venue', 'cost'), [CONCERT], table);
});

const TWO = ['A; 2030-03-16 to 2030-03-16', 'B; 2030-03-17 to 2030-03-17'];
const FILES: { readonly [what: string]: string } = {
  'line ends of several kinds': 'Title,Start\r\nA,2030-03-16\nB,2030-03-17\r\n',
  'other line ends of several kinds': 'Title,Start\nA,2030-03-16\r\nB,2030-03-17\r',
  'a name above it': 'Our spring\r\n\r\nTitle,Start\r\nA,2030-03-16\r\nB,2030-03-17\r\n',
  'a name above it, in a row': 'Our spring,,\n,,\nTitle,Start,End\nA,2030-03-16,\nB,2030-03-17,\n',
  'line ends in its headings': '"Title\nof event","Start\ndate"\nA,2030-03-16\nB,2030-03-17\n',
};

test('a table is found below its name, and has lines of any end', async () => {
  for (const [what, table] of Object.entries(FILES)) assert.equal(await rowsOf(table), TWO, what);
  assert.equal(await rowsOf('Title,Start\n5" pipe,2030-03-16\nB,2030-03-17\n'), [
    '5" pipe; 2030-03-16 to 2030-03-16',
    TWO[1],
  ]);
});

test('a time in a column of an unknown name is a question, also where words are around it', async () => {
  const unread = await rowsOf('Titel;Datum;Ablauf\nA;16.03.2030;Beginn 20:30 Uhr\n').catch(({ message }) => message);
  assert.match(unread, /times may be in Ablauf/);
});

/** Encodings, and a title in the bytes of each. */
const BYTES: readonly (readonly [encoding: string, title: string, bytes: string])[] = [
  [
    'windows-1251',
    'Весенний концерт в городском парке',
    'c2e5f1e5edede8e920eaeeedf6e5f0f220e220e3eef0eee4f1eaeeec20efe0f0eae5',
  ],
  ['windows-1253', 'Συναυλία στο πάρκο της πόλης', 'd3f5ede1f5ebdfe120f3f4ef20f0dcf1eaef20f4e7f220f0fcebe7f2'],
  ['shift_jis', '公園でのコンサート', '8cf6898082c582cc835283938354815b8367'],
  ['gbk', '中国音乐会在公园的大厅', 'd6d0b9fad2f4c0d6bbe1d4dab9abd4b0b5c4b4f3ccfc'],
  ['big5', '中國音樂會在公園的大廳', 'a4a4b0eaadb5bcd6b77ca662a4bdb6e9aabaa46ac655'],
  ['euc-kr', '공원 음악회', 'b0f8bff820c0bdbec7c8b8'],
  ['windows-1252', 'Fête d’été à l’opéra', '46ea7465206492e974e920e0206c926f70e97261'],
  ['windows-1250', 'Čáp a žirafa', 'c8e1702061209e6972616661'],
  ['macintosh', 'Fête à la plage', '469074652088206c6120706c616765'],
  ['iso-8859-2', 'Łódź i Kraków', 'a3f364bc2069204b72616bf377'],
  ['windows-1257', 'Šiauliai', 'd06961756c696169'],
  ['windows-1254', 'Şarkı', 'de61726bfd'],
];

test('bytes that say no encoding are read as what they are most like, which is told, or as what was chosen', () => {
  for (const [encoding, title, bytes] of BYTES) {
    const table = Buffer.concat([
      Buffer.from('Title,Start\n'),
      Buffer.from(bytes, 'hex'),
      Buffer.from(',2030-03-16\n'),
    ]);
    const { text, guess } = decodeWithGuess(table);
    const isLatin = /^(?:windows-125[0247]|iso|mac)/.test(encoding);
    assert.is(guess?.encoding, isLatin ? 'windows-1252' : encoding);
    assert.match(text, guess?.example ?? 'none');
    assert.equal(decodeWithGuess(table, encoding), { text: `Title,Start\n${title},2030-03-16\n`, guess: null });
  }
  assert.is(decodeWithGuess(Buffer.from('Title\nČáp\n')).guess, null);
});

test('what is for some is private, and what does not take place is canceled in each language', async () => {
  const rows = async (heading: string, ...words: readonly string[]) =>
    (await rowsOf(`Title,Start,${heading}\n${words.map((word) => `A,2030-03-16,${word}\n`).join('')}`, 'status')).map(
      (row) => row.split('; ')[2],
    );
  assert.equal(await rows('Public', 'Yes', 'Nein', 'intern', 'members only', 'hidden', 'tout public'), [
    ...['publish', 'private', 'private', 'private', 'private', 'publish'],
  ]);
  assert.equal(
    await rows('Status', 'abgesagt', 'annulé', 'Cancelado', 'annullato', 'geannuleerd', 'verschoben', 'in review'),
    [...['canceled', 'canceled', 'canceled', 'canceled', 'canceled', 'postponed', 'draft']],
  );
  const withheld = await rows('Status', 'Entwurf', 'brouillon', '下書き', 'privé', 'intern', 'nicht öffentlich');
  assert.equal(withheld, ['draft', 'draft', 'draft', 'private', 'private', 'private']);
  assert.equal(await rows('Veröffentlicht', 'Entwurf', 'geheim', 'x', '16.03.2030', 'nicht öffentlich'), [
    ...['draft', 'draft', 'publish', 'publish', 'private'],
  ]);
});

test('a column that marks what is internal or canceled is heeded under any heading', async () => {
  const marked = async (heading: string, ...cells: readonly string[]) =>
    (await rowsOf(`Title,Start,${heading}\n${cells.map((one) => `A,2030-03-16,${one}\n`).join('')}`, 'status')).map(
      (row) => row.split('; ')[2],
    );
  for (const heading of ['Intern', 'Members only', 'Draft', 'Hidden', 'Password', 'Deleted'])
    assert.equal(await marked(heading, 'yes', 'no', 'x', ''), ['private', 'publish', 'private', 'publish'], heading);
  assert.equal(await marked('Approved', 'yes', 'no', ''), ['publish', 'private', 'publish']);
  for (const heading of ['Canceled', 'Is cancelled', 'Abgesagt'])
    assert.equal(await marked(heading, 'TRUE', 'FALSE', 'x'), ['canceled', 'publish', 'canceled'], heading);
  assert.equal(await marked('eventStatus', 'https://schema.org/EventCancelled', 'EventPostponed', 'EventRescheduled'), [
    ...['canceled', 'postponed', 'scheduled'],
  ]);
  assert.equal(await marked('Event Status', 'Live', 'Draft', 'Canceled', 'Sold out', 'in review'), [
    ...['publish', 'draft', 'canceled', 'publish', 'draft'],
  ]);
});

test('a time of day keeps its day and zone, however programs write them', async () => {
  const EVENING = 'A; 2030-03-16 19:30:00 to 2030-03-16 19:30:00';
  for (const zero of ['30.12.1899', '12/30/1899', '31/12/1899', '1899-12-30', '00.01.1900', '1/0/1900'])
    assert.equal(await rowsOf(`Title,Date,Time\nA,16.03.2030 00:00:00,${zero} 19:30:00\n`), [EVENING], zero);
  assert.equal(await rowsOf('Title,Date,Time\nA,16.03.2030,7:30p\n'), [EVENING]);
  assert.equal(await rowsOf('Title,Date\nA,March 2030\n'), ['refused: start "March 2030" is not a date']);
  const inNewYork = await rowsOf('Title\tDate\nA\tMarch 16, 2030 7:30 PM (EDT) → 9:00 PM\n', 'zone');
  assert.equal(inNewYork, ['A; 2030-03-16 19:30:00 to 2030-03-16 21:00:00; America/New_York']);
  assert.equal(await rowsOf('Title,Start,Created\nA,2030-03-16,2030-01-01 10:00\n'), [TWO[0]]);
});

test('a rule in a column makes a series, and what is no rule is told', async () => {
  const table =
    'Title;Start;Recurrence\nA;2030-03-16;RRULE:FREQ=WEEKLY;COUNT=3\nB;2030-03-17;never\nC;2030-03-17;weekly\n';
  const { readings } = readTable(
    await readCsv(table.replace('RRULE:FREQ=WEEKLY;COUNT=3', '"RRULE:FREQ=WEEKLY;COUNT=3"')),
    SOURCE,
  );
  const told = readings.map(({ plan: { events }, remarks = [] }) => [
    ...events.map(({ series }) => series?.repeating.rules.join() ?? 'once'),
    ...remarks.map(({ text }) => text),
  ]);
  assert.equal(told, [
    ['FREQ=WEEKLY;COUNT=3'],
    ['once'],
    ['once', 'taken once: it repeats by "weekly", which is no rule'],
  ]);
});

test('the place of a cell is a venue with its address, a meeting, or none', async () => {
  const placed = async (place: string) => {
    const { readings } = readTable(await readCsv(`Title\tStart\tPlace\nA\t2030-03-16\t${place}\n`), SOURCE);
    const [{ plan }] = readings as [(typeof readings)[number]];
    const { isVirtual, virtualUrl } = plan.events[0]?.input.online ?? {};
    const venues = plan.venues.map(({ input: { name, city } }) => [name, city].filter(Boolean).join(' in '));
    return [...venues, ...(isVirtual ? ['online'] : []), ...(virtualUrl ? [virtualUrl] : [])].join(', ');
  };
  assert.is(await placed('Mill, Lane 1, 10115 Berlin'), 'Mill in Berlin');
  assert.is(await placed('Room 1; Room 2'), 'Room 1, Room 2');
  assert.is(await placed('Mill; https://zoom.us/j/1'), 'Mill, online, https://zoom.us/j/1');
  assert.is(await placed('Online'), 'online');
  assert.is(await placed('TBA'), '');
});

test('entities in plain cells are what they stand for', async () => {
  assert.equal(await rowsOf('Title,Start\nTom &amp; Ann&#8217;s,2030-03-16\n'), [
    'Tom & Ann’s; 2030-03-16 to 2030-03-16',
  ]);
  const named = await rowsOf('Title,Start,Venue\nA,2030-03-16,Bed &amp; Breakfast\n', 'venue');
  assert.equal(named, ['A; 2030-03-16 to 2030-03-16; Bed & Breakfast']);
});

test('tables in Korean and Chinese', async () => {
  assert.equal(await rowsOf('제목,날짜,시간,장소\n콘서트,2030년 6월 5일 (수),오후 7시 30분,문화회관', 'venue'), [
    '콘서트; 2030-06-05 19:30:00 to 2030-06-05 19:30:00; 문화회관',
  ]);
  assert.equal(await rowsOf('标题,日期,时间,票价\n音乐会,2030年6月5日,下午7点–9点,100元', 'cost'), [
    '音乐会; 2030-06-05 19:00:00 to 2030-06-05 21:00:00; 100元',
  ]);
});

test('cells of 100,000 signs and tables of 10,000 columns take no more than others of their size', async () => {
  const long = 100_000;
  assert.equal(await rowsOf(`Title,Start\n"a${' '.repeat(long)}b",2030-06-05`), [
    `a${' '.repeat(long)}b; 2030-06-05 to 2030-06-05`,
  ]);
  for (const sign of ['-', '1 ', ' - '])
    assert.match((await rowsOf(`Title,Start\nA,"${sign.repeat(long)}x"`))[0] ?? '', /^refused: start/);
  const wide = Array.from({ length: 10_000 }, (_, at) => ({
    line: null,
    values: { title: 'A', start: '2030-06-05', [`c${at}`]: 1 },
  }));
  assert.throws(() => readTable(wide, SOURCE), /more than 1000 columns/);
});

test('what counts from today, a month and a week are no day: a table is read later than it was written', async () => {
  const forms = 'tomorrow, next Monday, today, Friday, +3 days, now, in 2 weeks, 2030-06, 2030-W23, June 2030'.split(
    ', ',
  );
  for (const form of forms)
    for (const time of ['', '19:00'])
      assert.equal(await rowsOf(`Title,Date,Time\nA,${form},${time}\nB,2030-06-01,`), [
        `refused: start "${`${form} ${time}`.trim()}" is not a date`,
        'B; 2030-06-01 to 2030-06-01',
      ]);
});

test('headings of plugins, schools and parishes are known, and better ones count first', async () => {
  const tables: readonly (readonly [table: string, row: string])[] = [
    [
      'event_name,event_start_date,location_name,event_location\nA,2030-06-01,Hall,Lane',
      'A; 2030-06-01 to 2030-06-01; Hall',
    ],
    ['Ferien;Beginn;Ende\nOstern;1.4.2030;5.4.2030', 'Ostern; 2030-04-01 to 2030-04-05; '],
    ['Description,Date\nEaster,2030-04-01', 'Easter; 2030-04-01 to 2030-04-01; '],
    ['Kurs;Titel;Raum;Location;Datum\n12;Yoga;3;VHS;1.4.2030', 'Yoga; 2030-04-01 to 2030-04-01; VHS'],
    ['Gottesdienst;Datum;Kirche\nAndacht;1.4.2030;St. Johannis', 'Andacht; 2030-04-01 to 2030-04-01; St. Johannis'],
  ];
  for (const [table, row] of tables) assert.equal(await rowsOf(table, 'venue'), [row], table);
  const { readings } = readTable(await readCsv('Title,Date,Labels,Tags\nA,2030-06-01,,music'), SOURCE);
  assert.equal(
    readings[0]?.plan.terms.map(({ name }) => name),
    ['music'],
    'an empty column says nothing',
  );
});

test('words that keep an event from the public do so under any heading', async () => {
  const rows = ['A,2030-06-01,draft', 'B,2030-06-01,published', 'C,2030-06-01,'].join('\n');
  for (const heading of ['publish_status', 'Zustand', 'x'])
    assert.equal(
      (await rowsOf(`Title,Date,${heading}\n${rows}`, 'status')).map((row) => /[^ ]+$/.exec(row)?.[0] === 'publish'),
      [false, true, true],
    );
});

test.run();
