// The registry of validators: from the keyword in a schema to its implementation.
import type { Check, Checks, PlainCheck } from '../schemas/keywords.ts';
import { linkedPosts } from './linked-posts.ts';
import { recurrence } from './recurrence.ts';
import { eventReviewRules, reviewRules } from './review-rules.ts';
import { searchName, searchQuery } from './saved-searches.ts';
import { siteAccent, siteCurrency, siteLinks, siteLogo, siteName } from './site-settings.ts';
import type { ValidationContext, Validator } from './validator.ts';
import * as validators from './validators.ts';

type Registry = {
  readonly [Name in keyof Checks]: Checks[Name] extends readonly [] ? Validator : (...args: Checks[Name]) => Validator;
};

const CHECKS: Registry = {
  ...validators,
  reviewRules,
  eventReviewRules,
  siteCurrency,
  siteName,
  siteLinks,
  siteLogo,
  siteAccent,
  searchName,
  searchQuery,
  linkedPosts,
  recurrence,
  anything: () => true,
  nothing: () => false,
};

/** The validator of a keyword. */
export function validatorOf(check: Check): Validator {
  if (typeof check === 'string') return CHECKS[check];
  if (check[0] === 'existing') return existing(check[1], check[2]);
  const [name, ...args] = check;
  // The argument follows the name, as the type of checks declares it.
  return (CHECKS[name] as (...args: readonly unknown[]) => Validator)(...args);
}

function existing(today: PlainCheck, form: PlainCheck): Validator {
  const [ofToday, ofPast] = [validatorOf(today), validatorOf(form)];
  return Object.assign(
    (value: unknown, context: ValidationContext) =>
      context.sent.as_of === undefined && context.sent.with === undefined
        ? ofToday(value, context)
        : ofPast(value, context),
    ofToday.allowed && { allowed: ofToday.allowed },
  );
}
