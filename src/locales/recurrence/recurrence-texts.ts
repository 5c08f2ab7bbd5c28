// The words of a language for how often something repeats. They are put together, so each is a part of a sentence.

/**
 * The same words beside different numbers: the ordinal category of the number in this language (`Intl.PluralRules`)
 * chooses, and `other` is for all categories that are not named. English has 1st, 2nd, 3rd and 4th; Italian says
 * `l’8 marzo`, and `il 5 marzo`.
 */
export interface Forms {
  readonly one?: string;
  readonly two?: string;
  readonly few?: string;
  readonly many?: string;
  readonly other: string;
}

interface EveryFew {
  readonly second: string;
  /** `{n}` is 3 or more. */
  readonly nth: string;
}

interface Every extends EveryFew {
  readonly each: string;
}

/** `{day}` is a weekday, `workingDay` or `day`. */
export interface NthTexts {
  readonly first: string;
  readonly second: string;
  readonly third: string;
  readonly fourth: string;
  readonly fifth: string;
  readonly last: string;
  readonly beforeLast: string;
  /** From the sixth on. */
  readonly later: Forms;
}

export interface RecurrenceTexts {
  readonly days: Every;
  readonly weeks: EveryFew;
  readonly months: Every;
  readonly years: Every;
  /** Every week on these days. */
  readonly weekdays: string;
  readonly workingWeek: string;
  /** `{days}` is a list of `weekday`. */
  readonly onDays: string;
  /** `{places}` is a list of `monthDay`, `nth` or `date`. */
  readonly onPlaces: string;
  /** Before `onPlaces`. */
  readonly inMonths: string;
  readonly daysInMonths: string;
  readonly inWeek: string;
  readonly inWeeks: string;
  readonly weekday: string;
  readonly monthDay: Forms;
  readonly nth: { readonly masculine: NthTexts; readonly feminine: NthTexts };
  /** Those that are feminine, as rules name them: `SU`; `-` for none. */
  readonly feminineWeekdays: string;
  readonly workingDay: string;
  readonly day: string;
  /** The day within a date. */
  readonly dayOfDate: Forms;
  /** A date in a list of `onPlaces`, `only`, `also` and `leftOut`. */
  readonly date: Forms;
  /** The first date, without an end. */
  readonly since: Forms;
  readonly from: Forms;
  readonly to: Forms;
  /** The last date, without a beginning. */
  readonly until: Forms;
  readonly between: string;
  readonly spanned: string;
  readonly times: string;
  readonly once: string;
  /** For what there are no words. */
  readonly byRule: string;
  /** Every rule but the first. */
  readonly alsoRule: string;
  /** Dates without a rule. */
  readonly only: string;
  readonly also: string;
  readonly leftOut: string;
  /** Behind a list of dates that is not complete. */
  readonly more: string;
}
