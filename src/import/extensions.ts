// Members of a record that no field of ours is for.
import { EVENT_FIELDS } from '../domain/calendar-event.ts';
import type { Extensions } from '../domain/extensions.ts';
import type { Given } from './fields.ts';

/** What an event of the API says by itself: read, or derived again from what was read. */
const OWN: ReadonlySet<string> = new Set([
  ...Object.values(EVENT_FIELDS).map(({ wire }) => wire),
  ...['id', 'global_id', 'global_id_lineage', 'author', 'status', 'date', 'date_utc', 'modified', 'modified_utc'],
  ...['url', 'rest_url', 'slug', 'all_day', 'timezone', 'timezone_abbr'],
  ...['start_date', 'start_date_details', 'end_date', 'end_date_details', 'utc_start_date', 'utc_start_date_details'],
  ...['utc_end_date', 'utc_end_date_details', 'cost_details'],
  ...['custom_fields', 'json_ld', '_links', 'password', 'type'],
]);

const NAME = /^[a-z][a-z0-9_]{0,63}$/i;

/** Whatever else a record has, as it is; JSON has no other values. What may be kept of it, accept.ts says. */
export const extensionsOf = (record: Given): Extensions =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !OWN.has(name) && NAME.test(name))) as Extensions;
