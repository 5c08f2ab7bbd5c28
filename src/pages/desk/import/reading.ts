// Imports, as the API answers them.
import type { DeskWord } from '../../../locales/language.ts';
import type { ShownChange } from '../history/reading.ts';

export const IMPORT = '/desk/import';

export const OUTCOMES = ['created', 'changed', 'unchanged', 'merged', 'refused'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export type ImportKind = 'event' | 'venue' | 'organizer' | 'category' | 'tag' | 'record' | 'source';

export interface ImportOutline {
  readonly id: number;
  readonly correlation_id: string;
  readonly source: string;
  readonly dry_run: boolean;
  readonly user: { readonly name: string };
  readonly state: 'waiting' | 'reading' | 'writing' | 'done' | 'failed' | 'interrupted';
  readonly begun: string;
  readonly ended: string | null;
  readonly done: number;
  readonly total: number | null;
  readonly counts: { readonly [kinds: string]: { readonly [Name in Outcome]: number } };
  readonly problem: string | null;
}

interface Fault {
  readonly kind: ImportKind;
  readonly name: string;
  readonly file: string;
  readonly line: number | null;
  readonly reason: string;
}

export interface ColumnUse {
  readonly name: string;
  readonly field: string | null;
}

/** With what only the process knows that carries it out. */
export interface ImportShown extends ImportOutline {
  readonly status?: string | null;
  readonly timezone?: string | null;
  readonly map?: string | null;
  readonly rows?: readonly {
    readonly kind: ImportKind;
    readonly name: string;
    readonly outcome: Outcome;
    readonly line: number | null;
    readonly start: string | null;
    readonly changes: readonly ShownChange[];
  }[];
  readonly refused?: readonly Fault[];
  readonly notes?: readonly Fault[];
  readonly remarks?: readonly string[];
  readonly columns?: readonly ColumnUse[];
}

export interface ImportsPage {
  readonly imports: readonly ImportOutline[];
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
export const mapText = (columns: readonly ColumnUse[]): string =>
  columns.flatMap(({ name, field }) => (field === null ? [] : [`${field}="${name.replaceAll('"', '""')}"`])).join(',');
