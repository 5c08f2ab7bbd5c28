// How often a series repeats, as a sentence: `every Tuesday from 5 March to 18 June 2024; 24 December left out`.
import { parseSeriesRule, type RuleEnd, type SeriesRule } from '../../editorial/series/domain/rule-set.ts';
import { countFrom, uncounted, yields } from '../../editorial/series/domain/rules-from.ts';
import { formatCivil, parseCivil, SECONDS_PER_DAY } from '../../kernel/time/civil-time.ts';
import { resolveZone, toWallClock, type WallClock } from '../../kernel/time/zone.ts';
import type { Language } from '../language.ts';
import type { Wording } from '../phrases.ts';
import { type DateWords, type Day, openDateWords } from './date-words.ts';
import type { RecurrenceTexts } from './recurrence-texts.ts';
import { shapeOf } from './rule-shape.ts';
import { ruleWords } from './rule-words.ts';
import { filled } from './word-forms.ts';

/** A series as it is written: rules as in iCalendar, dates as wall clocks of its zone. */
export interface WrittenRecurrence {
  readonly start: WallClock;
  /** The first date, if the rules count from an earlier start. */
  readonly from?: WallClock;
  readonly zone: string;
  readonly rules: readonly string[];
  readonly added: readonly WallClock[];
  readonly skipped: readonly WallClock[];
}

/** Most dates that are named of those added, and of those left out. */
const MAX_DATES = 8;

/** Without a capital letter and without a full stop, so that it can be a part of a sentence. */
export const recurrenceWords =
  (recurrence: WrittenRecurrence): Wording =>
  (language) => {
    const texts = language.sentences.recurrence;
    const dates = openDateWords(language);
    const { rules, skipped } = recurrence;
    const first = recurrence.from ?? recurrence.start;
    const parsed = rules.map(parseSeriesRule);
    const clauses = parsed.map((rule, index) => {
      // What is no rule is in no series either; its text is still true.
      if ('fault' in rule) return filled(texts.byRule, { rule: rules[index] ?? '' });
      return ruleClause(rule, index, recurrence, { language, dates });
    });
    const added = alsoOn(
      recurrence,
      parsed.filter((rule): rule is SeriesRule => !('fault' in rule)),
    );
    const listed = added.filter((date) => date >= first && !skipped.includes(date));
    if (listed.length > 0) clauses.push(datesClause(rules.length === 0 ? texts.only : texts.also, listed));
    const leftOut = skipped.filter((date) => date >= first);
    if (leftOut.length > 0) clauses.push(datesClause(texts.leftOut, leftOut));
    return clauses.join(language.phrases.clause_separator);

    function datesClause(text: string, wallClocks: readonly WallClock[]): string {
      const days = [...new Set(wallClocks.map(dayOf))].sort();
      // One more would take as long as to say that there is one.
      const named = days.length > MAX_DATES + 1 ? days.slice(0, MAX_DATES) : days;
      const words = named.map((day) => dates.named(texts.date, day));
      if (named.length === days.length) return filled(text, { dates: dates.list(words) });
      const separated = words.join(language.sentences.separator);
      return filled(text, { dates: filled(texts.more, { dates: separated, n: days.length - named.length }) });
    }
  };

interface Saying {
  readonly language: Language;
  readonly dates: DateWords;
}

const dayOf = (wallClock: WallClock): Day => wallClock.slice(0, 10);

/** The start is a date even where no rule yields it. */
function alsoOn({ start, from = start, added }: WrittenRecurrence, rules: readonly SeriesRule[]): readonly WallClock[] {
  const isInRules = from > start || rules.some((rule) => yields(rule, start, start));
  return isInRules ? added : [start, ...added];
}

function ruleClause(
  rule: SeriesRule,
  index: number,
  recurrence: WrittenRecurrence,
  { language, dates }: Saying,
): string {
  const texts = language.sentences.recurrence;
  const { start, from = start, zone } = recurrence;
  const shape = shapeOf(rule.text, start);
  const words = shape === null ? filled(texts.byRule, { rule: uncounted(rule) }) : ruleWords(shape, dates, texts);
  const last = rule.end === null ? null : lastDay(rule.end, start, zone);
  const span = index === 0 ? spanOf(texts, dates, dayOf(from), last) : last && dates.named(texts.until, last);
  const spanned = span === null ? words : filled(texts.spanned, { rule: words, span });
  const said = index === 0 ? spanned : filled(texts.alsoRule, { rule: spanned });
  const count = countFrom(rule, start, from);
  if (count === null) return said;
  return count === 1 ? filled(texts.once, { rule: said }) : filled(texts.times, { rule: said, n: count });
}

function spanOf(texts: RecurrenceTexts, dates: DateWords, first: Day, last: Day | null): string {
  if (last === null) return dates.named(texts.since, first);
  const [from, to] = dates.range([texts.from, first], [texts.to, last]);
  return filled(texts.between, { from, to });
}

/** The last day on which the time of the series is not behind the end. */
function lastDay({ kind, wallClock }: RuleEnd, start: WallClock, zoneName: string): Day {
  if (kind === 'day') return dayOf(wallClock);
  const zone = kind === 'instant' ? resolveZone(zoneName) : null;
  const end = zone ? toWallClock(parseCivil(wallClock), zone) : wallClock;
  return end.slice(11) < start.slice(11) ? dayOf(formatCivil(parseCivil(end) - SECONDS_PER_DAY)) : dayOf(end);
}
