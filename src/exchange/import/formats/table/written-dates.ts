// Days and times of day as cells of tables have them: numbers of spreadsheets, and the forms and words of our languages.
import { foldToAscii } from '../../../../kernel/text/ascii-folding.ts';
import { withLatinDigits } from '../../../../kernel/text/digits.ts';
import { formatCivil, parseCivil, SECONDS_PER_DAY } from '../../../../kernel/time/civil-time.ts';

/** No day or time has more characters: the forms below take more than the square of this at worst. */
const MAX_LENGTH = 200;
/** Parts of cells are looked at many times, and most of them have nothing to tidy. */
const TIDY = /^[!-~]+(?: [!-~]+)*$/;
function tidy(cell: string): string {
  const text = cell.slice(0, MAX_LENGTH);
  return TIDY.test(text) ? text : withLatinDigits(text.normalize('NFKC')).replace(/\s+/g, ' ').trim();
}
const folded = (word: string): string => foldToAscii(word).toLowerCase().replace(/\W/g, '');

/** Japanese months are numbers. */
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'cs', 'sv', 'da', 'nb', 'fi', 'hu', 'tr'];
/** Besides those that `Intl` knows. */
const MONTHS = new Map([
  ['maerz', 3],
  ['janner', 1],
  ['feber', 2],
  ['sept', 9],
  ...['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x', 'xi', 'xii'].map(
    (roman, index): [string, number] => [roman, index + 1],
  ),
]);
const WEEKDAYS = new Set(['mon', 'tue', 'tues', 'wed', 'thu', 'thur', 'thurs', 'fri', 'sat', 'sun']);

/** Those that `Intl` knows, with the first name that is looked for: 900 formats take 40 ms, and most threads read no table. */
let areAllKnown = false;
function learnNames(): void {
  if (areAllKnown) return;
  areAllKnown = true;
  for (const code of LANGUAGES)
    for (const form of ['long', 'short'] as const) {
      // Some languages inflect the name of a month beside a day.
      const weekdays = new Intl.DateTimeFormat(code, { weekday: form, timeZone: 'UTC' });
      for (const beside of [{ day: 'numeric' }, {}] as const) {
        const format = new Intl.DateTimeFormat(code, { ...beside, month: form, timeZone: 'UTC' });
        for (let month = 0; month < 12; month += 1) {
          const name = format.formatToParts(Date.UTC(2027, month, 1)).find(({ type }) => type === 'month')?.value ?? '';
          if (/\p{L}/u.test(name)) MONTHS.set(folded(name), month + 1);
        }
      }
      for (let day = 1; day <= 7; day += 1) WEEKDAYS.add(folded(weekdays.format(Date.UTC(2027, 0, day))));
    }
}

function monthNamed(name: string): number | undefined {
  learnNames();
  return MONTHS.get(folded(name));
}

function isWeekdayName(name: string): boolean {
  learnNames();
  return WEEKDAYS.has(folded(name));
}

/** Spreadsheets count days from 1899-12-30. */
const SERIAL_OF_1970 = 25_569;
/** These are the days from 1954 to 2118: other numbers of five digits are none. */
const [FIRST_SERIAL, LAST_SERIAL] = [20_000, 80_000];
/** Some write the day that they count from before a time of day. */
const DAY_ZERO =
  /^(?:1899-12-3[01]|1900-01-0[01]|3[01][./]12[./](?:18)?99|12[./]3[01][./](?:18)?99|0?[01][./]0?[01][./](?:19)?00)[t ]+/;

const PREPOSITION =
  /^(?:(?:am|an|den|le|el|il|du|del|dal|vom|von|ab|um|from|at|on|a|à|alle|dalle|ore|às|as|das|om|van|vanaf|partire?|dès|de|das|desde|las|la|kl\.?|od|o|godz\.?|klo)\s+)+(?=\d)/i;
const CLOCK =
  /^(\d{1,2})(?:\s?(?:[:.hu]|uhr|heures)\s?(\d{2})(?::(\d{2}))?)?\s?(?:([ap])\.?\s?(?:m\.?)?)?\s?(?:uhr|hs?|hrs?|heures?|horas?|ore|uur|u|min|m)?\.?$/;
const NOON = /^(?:12(?::00)? )?(?:noon|midday|mittags?|midi|mediodia|mezzogiorno|middag|meio-dia)$/;
/** Korean and Chinese are written so as well. */
const JAPANESE_CLOCK =
  /(午前|오전|[凌早]晨|[早上]上|上午)?(午後|오후|下午|晚上|傍晚|中午)?\s?(\d{1,2})[時时点點시:]\s?(\d{1,2})?[分분]?/;

/** These words follow a time from which on something takes place. */
const ONWARDS = /(?<=[\dh時时点點시:분分])\s?(?:から|より|부터|起|[-–—~〜])$/;

/** A time of day as `19:30:00`; null for anything else. */
export function clockOf(cell: string): string | null {
  const text = tidy(cell)
    .toLowerCase()
    .replace(DAY_ZERO, '')
    .replace(/(?<=:\d\d)\.0+z?$/, '')
    .replace(ONWARDS, '')
    .replace(PREPOSITION, '');
  if (isFractionOfDay(text)) return formatCivil(Math.round(decimal(text) * SECONDS_PER_DAY)).slice(11);
  const [, compactHour, compactMinute] = /^([01]\d|2[0-3])([0-5]\d)$/.exec(text) ?? [];
  if (compactHour !== undefined) return `${compactHour}:${compactMinute}:00`;
  if (NOON.test(foldToAscii(text))) return '12:00:00';
  const western = text.replace(JAPANESE_CLOCK, (_, early, late: string | undefined, hour: string, minute = '0') => {
    const isFirst = early === '오전' && hour === '12';
    const isLater = late !== undefined && (Number(hour) < 12 || late === '晚上');
    return `${isFirst ? 0 : Number(hour) + (isLater ? 12 : 0)}:${String(minute).padStart(2, '0')}`;
  });
  const [, hour = '', minute = '00', second = '00', half] = CLOCK.exec(western) ?? [];
  if (hour === '' || Number(minute) > 59 || Number(second) > 59) return null;
  if (half === undefined) return Number(hour) > 24 ? null : `${hour.padStart(2, '0')}:${minute}:${second}`;
  if (Number(hour) < 1 || Number(hour) > 12) return null;
  return `${String((Number(hour) % 12) + (half === 'p' ? 12 : 0)).padStart(2, '0')}:${minute}:${second}`;
}

const decimal = (text: string): number => Number(text.replace(',', '.'));

/** `0.8125`, but not `0.30`: a spreadsheet writes no zero at the end, and two decimals are quarters of the day. */
const isFractionOfDay = (text: string): boolean => /^0?[.,]\d{3,}$/.test(text) || /^0?[.,](?:25|5|75)$/.test(text);

/** Whether a short cell holds a time of day for certain: not a number that may count something. */
export const isClearClock = (cell: string): boolean =>
  !/^\d{1,4}$/.test(tidy(cell)) &&
  (clockOf(cell) !== null || clocksOf(cell) !== null || /^.{0,20}\b\d{1,2}[:h]\d\d\b.{0,20}$/i.test(tidy(cell)));

const HALF = /[ap]\.?\s?(?:m\.?)?$|^(?:午[前後]|오[전후]|[上下]午|晚上)/i;
const TO =
  /^(.+?)\s*(?:[-–—~〜→]|(?<=\s)(?:to|till?|until|bis|tot|al?|alle|até|às|as|à|au|do|et|and|und|en|e|y)(?=\s))\s*(.+)$/i;

/** The two times of `19:30 – 21:00`; null for anything else. Of `7 – 9 pm` and `午後7時〜9時` both are in the evening. */
export function clocksOf(cell: string): readonly [from: string, to: string] | null {
  const [, one = '', other = ''] = TO.exec(tidy(cell)) ?? [];
  const [from, to] = [clockOf(one), clockOf(other)];
  if (from === null || to === null) return null;
  const [isFirstHalved, isLastHalved] = [one, other].map((time) => HALF.test(time.replace(PREPOSITION, '')));
  const inEvening = (clock: string): string => `${Number(clock.slice(0, 2)) + 12}${clock.slice(2)}`;
  if (isFirstHalved === isLastHalved) return [from, to];
  if (isFirstHalved) return [from, to < from && from < inEvening(to) && to < '12' ? inEvening(to) : to];
  return [to >= '12' && from < '12' && inEvening(from) <= to ? inEvening(from) : from, to];
}

/** A day, with the time of day that the cell adds, as the grammar of dates reads it; null for a number that is none, and for a month. */
export function dateText(cell: string, { isDayFirst }: DayOrder): string | null {
  const text = tidy(cell);
  if (/^[+-]?\d+(?:[.,]\d+)?$/.test(text)) return dayOfNumber(text);
  const [, month = ''] = /^(\p{L}+)\.?,?\s\d{4}$/u.exec(text) ?? [];
  if (monthNamed(month)) return null;
  const iso = isoDay(plainDay(text), isDayFirst);
  const [, day, rest = ''] = /^(\d{4}-\d\d-\d\d)(?:\s[-–@•·]\s|[\s,])+(.+)$/.exec(iso) ?? [];
  return day === undefined ? iso : `${day} ${clockOf(rest) ?? rest}`;
}

const EASTERN_WEEKDAY = /^(?:[周週]|星期|礼拜)?[月火水木金土日天一二三四五六월화수목금토일](?:曜日?|요일)?$/;

export const isWeekday = (cell: string): boolean => isWeekdayName(cell) || EASTERN_WEEKDAY.test(cell);

/** The text without the day of the week, and without words before it. */
const plainDay = (text: string): string =>
  text
    .replace(/\s?\((\p{L}+)\.?\)/u, (all, word: string) => (isWeekday(word) ? ' ' : all))
    .replace(/^([\p{L}-]+)\.?,?\s+(?!\d{1,2}(?:st|nd|rd|th)?,?\s\d{4})/u, (all, word: string) =>
      isWeekday(word) ? '' : all,
    )
    .replace(/(?:(?<=\d{4}),?|(?<=\d\.),)\s(\p{L}+)\.?$/u, (all, word: string) => (isWeekday(word) ? '' : all))
    .replace(PREPOSITION, '')
    .trim();

const FROM_TO =
  /\s*(?:[-–—~〜→/]|(?<=\s)(?:to|till?|until|through|t\/m|bis|au|al?|tot|até|do|fino al?|hasta)(?=\s))\s*(?:el\s|le\s|il\s)?/giu;
const AND = /\s*(?:[&+/]|(?<=\s)(?:and|und|et|y|e|en|i|og|och|ja|és|ve|a)(?=\s))\s*/giu;

/** Two days have no more of these in and between them. */
const MAX_SIGNS = 8;

interface DayOrder {
  readonly isDayFirst: boolean;
}

/**
 * The first and the last day of `12.–14.5.2027`, `May 12-14, 2027` and `12 & 13 May 2027`, each as a whole, and of `May 12, 2027, 7–9 pm`
 * the moment and the time of day; null for anything else, and for days with others between them that are not named.
 */
export function daysOf(cell: string, order: DayOrder): readonly [from: string, to: string] | null {
  const text = tidy(cell);
  const [, day, clocks = ''] = /^(\d{4}-\d\d-\d\d)[\s,@•·-]+(.+)$/.exec(isoDay(plainDay(text), order.isDayFirst)) ?? [];
  const [from, to] = OFFSET.test(clocks) ? [] : (clocksOf(clocks) ?? []);
  if (day !== undefined && to !== undefined) return [`${day} ${from}`, to];
  if (ONE_MOMENT.test(dateText(text, order) ?? '')) return null;
  for (const signs of [FROM_TO, AND])
    for (const { 0: sign, index } of [...text.matchAll(signs)].slice(0, MAX_SIGNS)) {
      const days = bothDays(text.slice(0, index), text.slice(index + sign.length), order);
      if (days && days[0] <= days[1] && (signs === FROM_TO || isNextDay(days))) return days;
    }
  return null;
}

const isNextDay = ([from, to]: readonly [string, string]): boolean =>
  parseCivil(`${to.slice(0, 10)} 00:00:00`) - parseCivil(`${from.slice(0, 10)} 00:00:00`) === SECONDS_PER_DAY;

const WHOLE_DAY = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?: \d\d:\d\d:\d\d)?$/;
/** Behind a time, and not the end of it: none is as large as the twelve hours of `10:00-12:00`. */
const OFFSET = /\d[+-](?:0\d|1[01]):?\d\d$/;

/** Most cells of most tables have this form. */
const ONE_MOMENT = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d[^\s/]*)?$/;
const DAY_ALONE = /^(\d{1,2})(?:st|nd|rd|th|er|[.ºo日])?$/i;

/** One of two days may leave its month or year to the other. */
function bothDays(one: string, other: string, order: DayOrder): readonly [string, string] | null {
  const whole = (...texts: readonly string[]): string | undefined =>
    texts.map((text) => dateText(text, order) ?? '').find((day) => WHOLE_DAY.test(day));
  const [from, to] = [plainDay(one), plainDay(other)];
  const [first, last] = [whole(one), whole(other)];
  const sameMonth = (day: string, [, alone]: RegExpExecArray): string =>
    day.slice(0, 8) + String(alone).padStart(2, '0');
  const [fromAlone, toAlone] = [DAY_ALONE.exec(from), DAY_ALONE.exec(to)];
  if (last !== undefined) {
    const year = last.slice(0, 4);
    const begin = first ?? (fromAlone ? sameMonth(last, fromAlone) : whole(...withYear(from, year)));
    // `30.12.–2.1.2028` begins in the year before.
    const early = begin !== undefined && begin > last ? whole(...withYear(from, String(Number(year) - 1))) : undefined;
    return begin === undefined ? null : [early ?? begin, last];
  }
  if (first !== undefined) {
    const end = toAlone ? sameMonth(first, toAlone) : whole(...withYear(to, first.slice(0, 4)));
    return end === undefined ? null : [first, end];
  }
  // `May 12` and `14, 2027`.
  const [, month = ''] = /^(\p{L}+\.?)\s\d/u.exec(from) ?? [];
  const [, year = ''] = /^\d{1,2}\D{0,4}(\d{4})/.exec(to) ?? [];
  const [begin, end] = [whole(`${from}, ${year}`), whole(`${month} ${to}`)];
  return begin === undefined || end === undefined ? null : [begin, end];
}

/** A day and a month, with the year in the places where it may be. */
const withYear = (text: string, year: string): readonly string[] => [
  ...[`${text} ${year}`, `${text}${year}`, `${text}.${year}`, `${text}/${year}`],
  ...[`${year}年${text}`, `${year}/${text}`, `${year}-${text}`, `${year} ${text}`],
];

/** `46550.8125` of a spreadsheet, `20270612`, and Unix seconds or milliseconds of programs. */
function dayOfNumber(text: string): string | null {
  if (/^(?:19|20)\d{6}$/.test(text)) return text.replace(/(\d{4})(\d\d)(\d\d)/, '$1-$2-$3');
  if (/^\d{9,10}$/.test(text)) return `@${text}`;
  if (/^\d{13}$/.test(text)) return `@${text.slice(0, -3)}`;
  const serial = decimal(text);
  if (serial < FIRST_SERIAL || serial > LAST_SERIAL) return null;
  const wall = formatCivil(Math.round((serial - SERIAL_OF_1970) * SECONDS_PER_DAY));
  return Number.isInteger(serial) ? wall.slice(0, 10) : wall;
}

type Parts = readonly [year: string, month: string | number, day: string];

function isoDay(text: string, isDayFirst: boolean): string {
  const written = ([year, month, day]: Parts): string =>
    `${year.length === 2 ? `20${year}` : year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`;
  const named = (all: string, [year, name, day]: readonly [year: string, name: string, day: string]): string => {
    const month = monthNamed(name);
    return month === undefined ? all : written([year, month, day]);
  };
  return text
    .replace(/令和(元|\d{1,2})年/, (_, year: string) => `${2018 + (year === '元' ? 1 : Number(year))}年`)
    .replace(
      /(\d{4})[年년]\s?(\d{1,2})[月월]\s?(\d{1,2})[日号號일]/,
      (_, year: string, month: string, day: string) => `${written([year, month, day])} `,
    )
    .replace(
      /^(\d{4})([./])\s?(\d{1,2})\2\s?(\d{1,2})\.?(?!\d)/,
      (_, year: string, _separator, month: string, day: string) => written([year, month, day]),
    )
    .replace(
      /^(\d{1,2})([.-])\s?(\d{1,2})\2\s?(\d{4}|\d\d)(?!\d)/,
      (_, day: string, _separator, month: string, year: string) => written([year, month, day]),
    )
    .replace(/^(\d{1,2})\/(\d{1,2})\/(\d{4}|\d\d)(?!\d)/, (_, one: string, other: string, year: string) =>
      written(isDayFirst ? [year, other, one] : [year, one, other]),
    )
    .replace(
      /^(\d{1,2})(?:st|nd|rd|th|er|\.|o|°)?[\s/-]?(?:de\s|of\s)?(\p{L}+)\.?,?[\s/-]?(?:del?\s)?(\d{4}|(?<=-)\d\d)(?!\d)(?:\sr\.)?/u,
      (all, day: string, name: string, year: string) => named(all, [year, name, day]),
    )
    .replace(
      /^(\p{L}+)\.?\s(\d{1,2})(?:st|nd|rd|th)?,?\s(\d{4})(?!\d)/u,
      (all, name: string, day: string, year: string) => named(all, [year, name, day]),
    )
    .replace(/^(\d{4})\.?\s(\p{L}+)\.?\s(\d{1,2})\.?(?!\d)/u, (all, year: string, name: string, day: string) =>
      named(all, [year, name, day]),
    )
    .trim();
}
