// Parameters of tools. The API checks their values; here is what an assistant has to know about them.
import { z } from 'zod';
import { byLabelParameter } from '../../calendar/event/domain/event-labels.ts';
import { byParameter } from '../../calendar/event/domain/event-traits.ts';
import { KINDS } from './calendar-api.ts';

const date = z.string().describe('YYYY-MM-DD or YYYY-MM-DD HH:MM:SS, by the clock of the calendar');
const terms = z.array(z.string()).describe('slugs, names or ids; one of them is enough');
const ids = z.array(z.number().int().positive());

export const id = z.number().int().positive();
export const kind = z.enum(KINDS);
export const page = z.number().int().positive().optional().describe('1 by default');
export const perPage = z.number().int().min(1).max(50).optional().describe('10 by default');
export const DEFAULT_PER_PAGE = 10;

export const asOf = z
  .string()
  .optional()
  .describe('as the calendar was at this instant, such as 2026-11-01T12:00:00Z; editors may name one to come');
export const countsAsDone = z
  .string()
  .optional()
  .describe('counts proposals or sets as carried out, such as proposal:7 or set:spring; for editors');

/** The filters of the list of events. Without dates it goes from yesterday to two years ahead. */
export const eventFilters = {
  search: z.string().optional().describe('words that must all occur in title, excerpt or description; -word excludes'),
  start_date: date.optional().describe('events that start at or after it'),
  end_date: date.optional().describe('events that end at or before it'),
  starts_before: date.optional(),
  starts_after: date.optional(),
  ends_before: date.optional(),
  ends_after: date.optional(),
  categories: terms.optional(),
  tags: terms.optional(),
  venue: ids.optional(),
  organizer: ids.optional(),
  featured: z.boolean().optional(),
  status: z
    .string()
    .optional()
    .describe('publish, draft, pending, future, private or any; other than publish for writers'),
  event_status: z.string().optional().describe('scheduled, canceled or postponed'),
  series: id.optional().describe('dates of this series'),
  ...byParameter(() => z.boolean().optional()),
  ...byLabelParameter((_wire, { values }) =>
    z
      .array(z.string())
      .optional()
      .describe(`of ${values.join(', ')}`),
  ),
  include: ids.optional().describe('only these events'),
};

/** The hints of tools that read. */
export const READ_HINTS = { readOnlyHint: true, openWorldHint: false } as const;
export const anything = z.looseObject({});
export const listTotals = { total: z.number(), total_pages: z.number() };

/** Members of a proposal, under the names of the API. */
export const fields = z
  .record(z.string(), z.unknown())
  .describe(
    'members by name. Events: title, start_date, end_date, timezone, all_day, description, excerpt, cost, website, accessible, accessibility, age_range, languages, registration_url, venue (id), organizer (ids), ' +
      'categories, tags, image, status, event_status, notice, is_virtual, virtual_url, featured, recurrence. ' +
      'Venues: venue (the name), address, city, zip, country, phone, website, description. Organizers: organizer (the name), phone, website, email, ' +
      'description. Categories and tags: name, slug, description, parent. What is left out stays as it is',
  );

export const note = z.string().optional().describe('why, for the reviewers');
