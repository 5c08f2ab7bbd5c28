import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ENGLISH, LANGUAGE_CODES, languageNamed } from '../../../src/locales/languages.ts';
import { recurrenceWords, type WrittenRecurrence } from '../../../src/locales/recurrence/recurrence-words.ts';

const test = suite('recurrences in words');

type Given = Partial<WrittenRecurrence> & { readonly start?: string };

const at = (day: string): string => `${day} 19:00:00`;

function wordsOf(rules: readonly string[], given: Given = {}, code = 'en'): string {
  const whole = { start: at('2024-03-05'), zone: 'Europe/Berlin', rules, added: [], skipped: [], ...given };
  return recurrenceWords(whole)(languageNamed(code) ?? ENGLISH);
}

const CHRISTMAS = { start: at('2024-12-24') };
const MONDAY = { start: at('2024-03-04') };

const IN_ENGLISH: readonly (readonly [rules: string, given: Given, words: string])[] = [
  ['FREQ=WEEKLY;UNTIL=20240618', {}, 'every Tuesday from 5 March to 18 June 2024'],
  ['FREQ=WEEKLY;UNTIL=20250107', {}, 'every Tuesday from 5 March 2024 to 7 January 2025'],
  ['FREQ=WEEKLY;BYDAY=TH,TU', {}, 'every Tuesday and Thursday from 5 March 2024'],
  [
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH;COUNT=10',
    MONDAY,
    'every second week on Monday and Thursday from 4 March 2024, 10 times',
  ],
  ['FREQ=WEEKLY;INTERVAL=3;COUNT=1', {}, 'every 3 weeks on Tuesday from 5 March 2024, once'],
  ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', {}, 'Monday to Friday from 5 March 2024'],
  ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU', {}, 'every day from 5 March 2024'],
  ['FREQ=MONTHLY;BYDAY=TU', {}, 'every Tuesday from 5 March 2024'],
  ['FREQ=DAILY;BYDAY=TU;BYMONTH=3,6', {}, 'every Tuesday in March and June from 5 March 2024'],
  ['FREQ=DAILY;INTERVAL=2', {}, 'every second day from 5 March 2024'],
  ['FREQ=DAILY;INTERVAL=10;BYHOUR=19;BYMINUTE=0;WKST=SU', {}, 'every 10 days from 5 March 2024'],
  ['FREQ=MONTHLY', {}, 'every month on the 5th from 5 March 2024'],
  ['FREQ=MONTHLY;BYMONTHDAY=-1,5,22', {}, 'every month on the 5th, the 22nd and the last day from 5 March 2024'],
  ['FREQ=MONTHLY;BYDAY=1TU,-1TU', {}, 'every month on the first Tuesday and the last Tuesday from 5 March 2024'],
  ['FREQ=MONTHLY;INTERVAL=2;BYDAY=TU;BYSETPOS=1', {}, 'every second month on the first Tuesday from 5 March 2024'],
  ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=3', {}, 'every month on the third weekday from 5 March 2024'],
  [
    'FREQ=MONTHLY;BYMONTH=3,9;BYDAY=1TU',
    {},
    'every year in March and September on the first Tuesday from 5 March 2024',
  ],
  ['FREQ=YEARLY', CHRISTMAS, 'every year on 24 December from 24 December 2024'],
  ['FREQ=YEARLY;BYMONTH=3,6', {}, 'every year on 5 March and 5 June from 5 March 2024'],
  ['FREQ=YEARLY;INTERVAL=2;BYMONTH=3;BYMONTHDAY=5,6', {}, 'every second year on 5 March and 6 March from 5 March 2024'],
  ['FREQ=YEARLY;BYMONTH=3;BYDAY=1TU', {}, 'every year in March on the first Tuesday from 5 March 2024'],
  ['FREQ=YEARLY;BYDAY=10TU', {}, 'every year on the 10th Tuesday from 5 March 2024'],
  ['FREQ=YEARLY;BYWEEKNO=10;BYDAY=TU', {}, 'every year in week 10 on Tuesday from 5 March 2024'],
  ['FREQ=YEARLY;BYWEEKNO=10,20;BYDAY=TU', {}, 'every year in weeks 10 and 20 on Tuesday from 5 March 2024'],
];

for (const [rule, given, words] of IN_ENGLISH)
  test(`${rule}: ${words}`, () => assert.is(wordsOf([rule], given), words));

const WITHOUT_WORDS = [
  'FREQ=HOURLY;INTERVAL=3',
  'FREQ=DAILY;INTERVAL=2;BYDAY=TU',
  'FREQ=MONTHLY;BYMONTHDAY=5;BYDAY=TU',
  'FREQ=MONTHLY;BYDAY=SA,TU;BYSETPOS=1',
  'FREQ=MONTHLY;BYDAY=-3TU,1TU',
  'FREQ=MONTHLY;BYDAY=TU,1FR',
  'FREQ=YEARLY;BYWEEKNO=10',
  'FREQ=YEARLY;BYWEEKNO=-1;BYDAY=TU',
  'FREQ=YEARLY;BYYEARDAY=65',
  'FREQ=WEEKLY;BYHOUR=19,21',
];

for (const rule of WITHOUT_WORDS)
  test(`${rule} has no words but its own`, () =>
    assert.match(wordsOf([`${rule};COUNT=4`]), new RegExp(`^by a rule: ${rule} from 5 March 2024, 4 times`)));

test('dates that were added or left out follow, and a year is said once', () => {
  const given = {
    added: [at('2025-01-02'), at('2024-12-24')],
    skipped: [at('2024-12-24'), at('2024-12-31'), at('2025-12-30')],
  };
  assert.is(
    wordsOf(['FREQ=WEEKLY'], given),
    'every Tuesday from 5 March 2024; also on 2 January 2025; 24 December 2024, 31 December and 30 December 2025 left out',
  );
});

test('24 December is left out of a series that began in that year', () =>
  assert.is(
    wordsOf(['FREQ=WEEKLY'], { skipped: [at('2024-12-24')] }),
    'every Tuesday from 5 March 2024; 24 December left out',
  ));

test('of many dates the first are named, and the others counted', () => {
  const days = Array.from({ length: 12 }, (_, index) => at(`2024-04-${String(index + 1).padStart(2, '0')}`));
  assert.is(
    wordsOf([], { added: days }),
    'on 5 March 2024, 1 April, 2 April, 3 April, 4 April, 5 April, 6 April, 7 April and 5 more',
  );
});

test('a start that no rule yields is a date as well', () =>
  assert.is(wordsOf(['FREQ=WEEKLY;BYDAY=WE']), 'every Wednesday from 5 March 2024; also on 5 March'));

test('several rules follow each other, each with its own end', () =>
  assert.is(
    wordsOf(['FREQ=WEEKLY', 'FREQ=MONTHLY;BYDAY=-1FR;UNTIL=20250101', 'FREQ=YEARLY;COUNT=2']),
    'every Tuesday from 5 March 2024; also every month on the last Friday until 1 January 2025; ' +
      'also every year on 5 March, 2 times',
  ));

test('a series that goes on from a later date begins there, and counts what is left', () =>
  assert.is(
    wordsOf(['FREQ=WEEKLY;COUNT=10'], { from: at('2024-03-19'), skipped: [at('2024-03-12')] }),
    'every Tuesday from 19 March 2024, 8 times',
  ));

const ENDS: readonly (readonly [until: string, last: string])[] = [
  ['20240618', '18 June'],
  ['20240618T190000', '18 June'],
  ['20240618T185959', '17 June'],
  // 19:00 in Berlin.
  ['20240618T170000Z', '18 June'],
  ['20240618T165959Z', '17 June'],
  ['20240617T220000Z', '17 June'],
];

for (const [until, last] of ENDS)
  test(`UNTIL=${until} is said as the last day on which a date may be: ${last}`, () =>
    assert.is(wordsOf([`FREQ=WEEKLY;UNTIL=${until}`]), `every Tuesday from 5 March to ${last} 2024`));

// What differs between languages: order of year and day, ordinals, genders, articles, elisions.
const IN_ALL: readonly (readonly [
  rules: readonly string[],
  given: Given,
  words: { readonly [code: string]: string },
])[] = [
  [
    ['FREQ=WEEKLY;UNTIL=20240618'],
    {},
    {
      en: 'every Tuesday from 5 March to 18 June 2024',
      de: 'jeden Dienstag vom 5. März bis zum 18. Juni 2024',
      fr: 'chaque mardi du 5 mars au 18 juin 2024',
      es: 'cada martes del 5 de marzo al 18 de junio de 2024',
      it: 'ogni martedì dal 5 marzo al 18 giugno 2024',
      pt: 'cada terça-feira de 5 de março a 18 de junho de 2024',
      nl: 'elke dinsdag van 5 maart tot en met 18 juni 2024',
      ja: '2024年3月5日から6月18日まで毎週火曜日',
    },
  ],
  [
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH;COUNT=10'],
    { ...MONDAY, added: [at('2025-01-02')], skipped: [at('2024-03-21')] },
    {
      en: 'every second week on Monday and Thursday from 4 March 2024, 10 times; also on 2 January 2025; 21 March 2024 left out',
      de: 'jede zweite Woche am Montag und Donnerstag ab 4. März 2024, 10-mal; auch am 2. Januar 2025; nicht am 21. März 2024',
      fr: 'une semaine sur deux le lundi et le jeudi à partir du 4 mars 2024, 10 fois\u00a0; aussi le 2 janvier 2025\u00a0; sauf le 21 mars 2024',
      es: 'cada dos semanas el lunes y el jueves desde el 4 de marzo de 2024, 10 veces; también el 2 de enero de 2025; excepto el 21 de marzo de 2024',
      it: 'ogni due settimane di lunedì e giovedì dal 4 marzo 2024, 10 volte; anche il 2 gennaio 2025; tranne il 21 marzo 2024',
      pt: 'a cada duas semanas, segunda-feira e quinta-feira a partir de 4 de março de 2024, 10 vezes; também em 2 de janeiro de 2025; exceto em 21 de março de 2024',
      nl: 'om de week op maandag en donderdag vanaf 4 maart 2024, 10 keer; ook op 2 januari 2025; niet op 21 maart 2024',
      ja: '2024年3月4日から隔週の月曜日、木曜日、全10回／2025年1月2日も／2024年3月21日を除く',
    },
  ],
  [
    ['FREQ=YEARLY;BYMONTH=8;BYDAY=1SU,-1SA;UNTIL=20251111'],
    { start: at('2024-08-11') },
    {
      en: 'every year in August on the first Sunday and the last Saturday from 11 August 2024 to 11 November 2025; also on 11 August 2024',
      de: 'jedes Jahr im August am ersten Sonntag und am letzten Samstag vom 11. August 2024 bis zum 11. November 2025; auch am 11. August 2024',
      fr: 'chaque année en août le premier dimanche et le dernier samedi du 11 août 2024 au 11 novembre 2025\u00a0; aussi le 11 août 2024',
      es: 'cada año en agosto el primer domingo y el último sábado del 11 de agosto de 2024 al 11 de noviembre de 2025; también el 11 de agosto de 2024',
      it: 'ogni anno in agosto la prima domenica e l’ultimo sabato dall’11 agosto 2024 all’11 novembre 2025; anche l’11 agosto 2024',
      pt: 'todos os anos em agosto no primeiro domingo e no último sábado de 11 de agosto de 2024 a 11 de novembro de 2025; também em 11 de agosto de 2024',
      nl: 'elk jaar in augustus op de eerste zondag en op de laatste zaterdag van 11 augustus 2024 tot en met 11 november 2025; ook op 11 augustus 2024',
      ja: '2024年8月11日から2025年11月11日まで毎年8月の第1日曜日、最終土曜日／2024年8月11日も',
    },
  ],
  [
    ['FREQ=MONTHLY;BYMONTHDAY=1'],
    { start: at('2024-03-01') },
    {
      en: 'every month on the 1st from 1 March 2024',
      de: 'jeden Monat am 1. Tag ab 1. März 2024',
      fr: 'chaque mois le 1er à partir du 1er mars 2024',
      es: 'cada mes el día 1 desde el 1 de marzo de 2024',
      it: 'ogni mese il giorno 1 dal 1 marzo 2024',
      pt: 'todos os meses no dia 1 a partir de 1 de março de 2024',
      nl: 'elke maand op de 1e vanaf 1 maart 2024',
      ja: '2024年3月1日から毎月1日',
    },
  ],
  [
    ['FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO'],
    { start: at('2024-01-01') },
    {
      en: 'every year in week 1 on Monday from 1 January 2024',
      de: 'jedes Jahr in Woche 1 am Montag ab 1. Januar 2024',
      fr: 'chaque année en semaine 1 le lundi à partir du 1er janvier 2024',
      es: 'cada año en la semana 1 el lunes desde el 1 de enero de 2024',
      it: 'ogni anno nella settimana 1 di lunedì dal 1 gennaio 2024',
      pt: 'todos os anos na semana 1 (segunda-feira) a partir de 1 de janeiro de 2024',
      nl: 'elk jaar in week 1 op maandag vanaf 1 januari 2024',
      ja: '2024年1月1日から毎年第1週の月曜日',
    },
  ],
];

for (const [rules, given, words] of IN_ALL)
  for (const code of LANGUAGE_CODES)
    test(`${code}: ${rules.join()}`, () => assert.is(wordsOf(rules, given, code), words[code]));

test('every frequency and every place has words in each language', () => {
  const rules = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'].flatMap((frequency) =>
    [1, 2, 3].map((interval) => `FREQ=${frequency};INTERVAL=${interval}`),
  );
  const places = [1, 2, 3, 4, 5, 6, 21, -1, -2].flatMap((nth) => [
    `FREQ=YEARLY;BYDAY=${nth}SA`,
    `FREQ=YEARLY;BYDAY=${nth}SU`,
  ]);
  for (const code of LANGUAGE_CODES)
    for (const rule of [...rules, ...places])
      assert.not.match(wordsOf([rule], {}, code), /[{}:=]|undefined/, `${code} ${rule}`);
});

test.run();
