// Days and times as people write them in a language. The desk shows them so and reads them again, on the server and in the
// browser by this file: inputs of browsers would write them as the browser speaks, whatever the page does.

/**
 * How forms show a day: with its weekday, by which a wrong one is noticed.
 *
 * @type {Intl.DateTimeFormatOptions}
 */
export const DAY_STYLE = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' };
/** @type {Intl.DateTimeFormatOptions} */
export const TIME_STYLE = { hour: 'numeric', minute: '2-digit' };

/**
 * The day of a text, `2026-12-05`; null if it is none. Without a year it is the next one of that name.
 *
 * @param {string} language as in `en` or `pt-BR`
 * @param {string} text `5 Dec 2026`, `05.12.26`, `2026-12-05`
 * @param {string} today
 * @returns {string | null}
 */
export function readDay(language, text, today) {
  const [, ...iso] = /^\s*(\d{4})-(\d{1,2})-(\d{1,2})\s*$/.exec(text) ?? [];
  if (iso.length > 0) return dayFrom(iso);
  const numbers = text.match(/\d+/g) ?? [];
  const month = monthIn(language, text);
  const order = orderIn(language).filter((part) => part !== 'month' || month === null);
  const parts = order.filter((part) => part !== 'year' || numbers.length === order.length);
  if (numbers.length !== parts.length) return null;
  const written = Object.fromEntries(parts.map((part, at) => [part, numbers[at]]));
  // In every language the number of four digits is the year.
  if (written.day?.length === 4 && written.year !== undefined)
    [written.day, written.year] = [written.year, written.day];
  const day = (year) => dayFrom([year, month ?? written.month, written.day]);
  if (written.year !== undefined) return day(written.year.length === 2 ? `20${written.year}` : written.year);
  const next = day(today.slice(0, 4));
  return next === null || next < today ? day(String(Number(today.slice(0, 4)) + 1)) : next;
}

/**
 * The time of a text, `19:00`; null if it is none.
 *
 * @param {string} text `19:00`, `7 pm`, `19.30 Uhr`, `1930`
 * @returns {string | null}
 */
export function readTime(text) {
  const [, hour, minute = '00', half = ''] =
    /^\s*(\d{1,2})(?:\s*[:.h]?\s*(\d\d))?\s*(?:h|uhr)?\s*(a|p)?\.?\s?m?\.?\s*$/i.exec(text) ?? [];
  if (hour === undefined) return null;
  const isHalf = half !== '';
  if (isHalf && (Number(hour) < 1 || Number(hour) > 12)) return null;
  const hours = isHalf ? (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hour);
  return hours > 23 || Number(minute) > 59 ? null : `${String(hours).padStart(2, '0')}:${minute}`;
}

/** @param {readonly (string | number | undefined)[]} parts year, month and day */
function dayFrom(parts) {
  const [year, month, day] = parts.map(Number);
  const at = new Date(Date.UTC(year, month - 1, day));
  if (year < 1000 || year > 9999 || at.getUTCMonth() !== month - 1 || at.getUTCDate() !== day) return null;
  return at.toISOString().slice(0, 10);
}

/** Making a formatter takes longer than reading a text. */
const madeOnce =
  (make, cache = new Map()) =>
  (language) =>
    cache.get(language) ?? cache.set(language, make(language)).get(language);

/** The order in which a language writes year, month and day as numbers. */
const orderIn = madeOnce((language) =>
  new Intl.DateTimeFormat(language, { timeZone: 'UTC' })
    .formatToParts(0)
    .map(({ type }) => type)
    .filter((type) => /^(day|month|year)$/.test(type)),
);

/** Names of months and their beginnings, English ones too: who writes them means them. The weekday is before the month. */
function monthIn(language, text) {
  const names = [...monthNames(language), ...monthNames('en')];
  return lettersOf(text).reduce((month, word) => {
    const at = names.findIndex(([long, short]) => word === short || long.startsWith(word));
    return word.length < 3 || at === -1 ? month : (at % 12) + 1;
  }, null);
}

const monthNames = madeOnce((language) =>
  Array.from({ length: 12 }, (_, month) =>
    ['long', 'short'].map((style) =>
      lettersOf(
        new Intl.DateTimeFormat(language, { month: style, timeZone: 'UTC' }).format(Date.UTC(2026, month, 1)),
      ).join(''),
    ),
  ),
);

/** The words of a text, in small letters without accents. */
const lettersOf = (text) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/\p{L}+/gu) ?? [];
