// Definitions of zones in calendars, and calendars in JSON. Wraps ical.js; no other file uses that package.
import ICAL from 'ical.js';
import type { WallClock } from '../../../../kernel/time/zone.ts';

export type IcalZone = ReturnType<typeof parseIcalZone>;

/** Remaining steps in search of the changes of a zone. */
interface StepBudget {
  remainder: number;
}

let budget: StepBudget | null = null;

function step(): void {
  if (budget === null) return;
  budget.remainder -= 1;
  if (budget.remainder < 0) throw new Error('the rules of its time zone do not come to an end');
}

// Some rules of zones never end and never occur either (30 February): ical.js searches for them without a bound, so
// each of its rounds is counted here.
type Rounds = { check_contracting_rules(): boolean; expand_year_days(year: number): unknown };
const rounds = ICAL.RecurIterator.prototype as unknown as Rounds;
const { check_contracting_rules: checkRules, expand_year_days: expandYear } = rounds;
rounds.check_contracting_rules = function counted(this: Rounds) {
  step();
  return checkRules.call(this);
};
rounds.expand_year_days = function counted(this: Rounds, year) {
  step();
  return expandYear.call(this, year);
};

function within<Result>(steps: StepBudget, work: () => Result): Result {
  budget = steps;
  try {
    return work();
  } finally {
    budget = null;
  }
}

/** Parses the text of one VTIMEZONE. Throws an `Error` for an invalid one. */
export function parseIcalZone(text: string) {
  const component = ICAL.Component.fromString(text);
  const zone = new ICAL.Timezone(component);
  const location = textOf(component.getFirstProperty('x-lic-location'));
  // To ical.js it would be UTC.
  if (component.getAllSubcomponents().length === 0 && location === '') throw new Error('it has no offsets');
  return {
    tzid: textOf(component.getFirstProperty('tzid')),
    /** An alternative name of the zone; `''` for none. */
    location,
    /** Seconds east of UTC at a wall clock. */
    offsetAt: (wallClock: WallClock) =>
      within({ remainder: 100_000 }, () => {
        const time = ICAL.Time.fromDateTimeString(wallClock.replace(' ', 'T'));
        return zone.utcOffset(time);
      }),
  };
}

const textOf = (property: ICAL.Property | null): string => String(property?.getFirstValue() ?? '');

/** The line of a property in JSON (jCal, RFC 7265); none for what is no property. */
export function lineOfJCal(property: unknown): string[] {
  try {
    // It throws for what is no list.
    const [name, parameters, type, ...values] = property as unknown[];
    // Some write a rule as the text that it is in other calendars.
    const form = type === 'recur' && typeof values[0] === 'string' ? 'unknown' : type;
    // A list that stands for one text is that text, as the line would have it.
    const isWhole = type !== 'text' || !values.some(Array.isArray);
    const list = name === 'categories' ? values.flat() : [values.flat().join(',')];
    const texts = isWhole ? values : list;
    const written = ICAL.stringify.property([name, parameters, form, ...texts], ICAL.design.icalendar, true);
    return [written.replace(/[\r\n]+/g, ' ')];
  } catch {
    return [];
  }
}
