// For whom an event is: ages, and the languages that are spoken there.

const MAX_LANGUAGES = 10;
const AGES = /^(\d{1,2})?\s*(?:[-–—]|(?<=\d\s*)\+$)\s*(\d{1,2})?$/;

/** `6-12`, `18-` or `18+`, `-12`: in years; null for other texts, and where there is no limit. */
export function readAges(text: string) {
  const [matched, ...limits] = AGES.exec(text.trim()) ?? [];
  const [from = null, to = null] = limits.map((limit) => (limit === undefined ? null : Number(limit)));
  if (matched === undefined || (from === null && to === null)) return null;
  return from !== null && to !== null && from > to ? null : { from, to };
}

/** As it is stored, and as schema.org has it; '' for what is none. */
export function agesText(text: string): string {
  const { from, to } = readAges(text) ?? {};
  return from === undefined ? '' : `${from ?? ''}-${to ?? ''}`;
}

const ENGLISH = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

/** Codes of languages (BCP 47), separated by commas; null where one of them is of no language. */
export function readLanguages(text: string): readonly string[] | null {
  const codes = text.split(',').flatMap((code) => code.trim() || []);
  try {
    const languages = Intl.getCanonicalLocales(codes);
    return languages.length <= MAX_LANGUAGES && languages.every((code) => ENGLISH.of(code)) ? languages : null;
  } catch {
    return null;
  }
}

/** As they are stored; '' for what is none. */
export const languagesText = (text: string): string => readLanguages(text)?.join(', ') ?? '';
