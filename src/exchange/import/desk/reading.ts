// Imports, as the API answers them.
import type { Answer } from '../../../http/schemas/components.ts';
import type { DeskWord } from '../../../locales/language.ts';

export const IMPORT = '/desk/import';

export type Import = Answer<'Import'>;

export interface ImportsPage {
  readonly imports: readonly Import[];
  readonly total: number;
  readonly total_pages: number;
}

/** The fields of tables, each with its name at the desk. */
export const COLUMN_FIELDS: readonly (readonly [field: string, word: DeskWord])[] = [
  ['uid', 'column_uid'],
  ['title', 'field_title'],
  ['start', 'field_start_date'],
  ['start_time', 'column_start_time'],
  ['end', 'field_end_date'],
  ['end_time', 'column_end_time'],
  ['timezone', 'field_timezone'],
  ['all_day', 'field_all_day'],
  ['status', 'field_status'],
  ['private', 'column_private'],
  ['public', 'column_public'],
  ['slug', 'field_slug'],
  ['venue', 'field_venue'],
  ['address', 'field_address'],
  ['city', 'field_city'],
  ['province', 'field_stateprovince'],
  ['zip', 'field_zip'],
  ['country', 'field_country'],
  ['lat', 'column_lat'],
  ['lng', 'column_lng'],
  ['organizer', 'field_organizer'],
  ['category', 'field_categories'],
  ['tags', 'field_tags'],
  ['url', 'field_website'],
  ['cost', 'field_cost'],
  ['currency', 'column_currency'],
  ['image', 'field_image'],
  ['description', 'field_description'],
  ['excerpt', 'field_excerpt'],
  ['event_status', 'field_event_status'],
];

/** A mapping as the API takes it. */
export const mapText = (columns: NonNullable<Import['columns']>): string =>
  columns.flatMap(({ name, field }) => (field === null ? [] : [`${field}="${name.replaceAll('"', '""')}"`])).join(',');
