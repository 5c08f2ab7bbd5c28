// Members of a record without a field of ours.
import { EVENT_FIELDS } from '../domain/calendar-event.ts';
import type { Extensions } from '../domain/extensions.ts';
import type { Given } from './fields.ts';

/** Members of an API event that are read, or derived from others. */
const OWN: ReadonlySet<string> = new Set([
  ...Object.values(EVENT_FIELDS).map(({ wire }) => wire),
  ...['id', 'global_id', 'global_id_lineage', 'author', 'status', 'date', 'date_utc', 'modified', 'modified_utc'],
  ...['url', 'rest_url', 'slug', 'all_day', 'timezone', 'timezone_abbr'],
  ...['start_date', 'start_date_details', 'end_date', 'end_date_details', 'utc_start_date', 'utc_start_date_details'],
  ...['utc_end_date', 'utc_end_date_details', 'cost_details'],
  ...['custom_fields', 'json_ld', '_links', 'password', 'type'],
]);

const NAME = /^[a-z][a-z0-9_]{0,63}$/i;

/** All other members unchanged, as JSON. accept.ts decides which may be kept. */
export const extensionsOf = (record: Given): Extensions =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !OWN.has(name) && NAME.test(name))) as Extensions;
