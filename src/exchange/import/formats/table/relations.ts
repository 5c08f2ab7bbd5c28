// References of a row's event: terms, venues and organizers by name.

import { CONTACT_ROWS, type OrganizerInput } from '../../../../calendar/linked-post/domain/organizer.ts';
import { PLACE_ROWS, type VenueInput } from '../../../../calendar/linked-post/domain/venue.ts';
import { fieldsIn, isObject, recordNamed } from '../../fields.ts';
import { type PlannedPost, type PlannedTerm, postNamed, termNamed } from '../../import-plan.ts';
import { publicationIn } from '../../publication.ts';
import { countryNamed, placeIn, type WrittenVenue } from '../places.ts';
import { cell, FALSE, folded, foreignAsHtml, keyOf, originOf, type Scope, split, textOf } from './cells.ts';
import { type Field, isCommaList } from './headings.ts';
import type { Source } from './mapping.ts';

export function terms(kind: PlannedTerm['kind'], scope: Scope): PlannedTerm[] {
  const { mapping } = scope.table;
  const column = kind === 'category' ? 'category' : 'tags';
  const sources = mapping.terms?.[column] ?? [];
  const plain = split(textOf(scope, column), scope, separatorsOf(scope, column)).map((name) =>
    term(kind, scope, name, name),
  );
  return [
    ...plain,
    ...sources.flatMap((source) => valuesOf(source, scope).map((value) => named(kind, scope, source, value))),
  ];
}

/** Tags have no commas; names of categories and organizers may have them. */
const separatorsOf = ({ table: { mapping } }: Scope, field: 'category' | 'tags' | 'organizer'): string =>
  field === 'tags' || mapping.columns[field]?.some(isCommaList) ? ';,' : ';';

function valuesOf({ column, file, when, text: fixed = '', separator }: Source, scope: Scope): string[] {
  const { values, table } = scope;
  if (file) return table.topic === '' ? [] : [table.topic];
  if (when !== undefined) return FALSE.test(cell(values[when])) ? [] : [fixed];
  const all = cell(values[column ?? '']);
  const each = (separator === undefined ? split(all, scope, ';,') : all.split(separator)).map(folded);
  return [...new Set(each)].filter(Boolean);
}

function named(kind: PlannedTerm['kind'], scope: Scope, { names }: Source, value: string): PlannedTerm {
  if (names === undefined) return term(kind, scope, value, value);
  const label = names === 'languages' ? languageName(value) : (names[value] ?? capitalized(value));
  return { ...term(kind, scope, value, label), slug: value };
}

const term = (kind: PlannedTerm['kind'], scope: Scope, value: string, name: string): PlannedTerm =>
  termNamed(kind, originOf(scope, keyOf(scope, kind, [value]), name), name);

const capitalized = (value: string): string =>
  value
    .split(/[-_ ]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');

const languages = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' });

/** `de` is German; what is no language code is shown in capitals. */
function languageName(code: string): string {
  try {
    const name = languages.of(code);
    return name === undefined || name === code ? code.toUpperCase() : name;
  } catch {
    return code.toUpperCase();
  }
}

/** What is no place makes no venue. An address that stands behind a name is one, unless the table has columns for it. */
export function venuesOf(scope: Scope): PlannedPost<VenueInput>[] {
  const { values, table, exported } = scope;
  const { columns } = table.mapping;
  const at = (field: Field): string => textOf(scope, field);
  const parts = (columns.venue ?? []).map((column) => cell(values[column]));
  const names = parts.length > 1 ? [at('venue')].filter(Boolean) : split(at('venue'), scope, ';');
  const address = (['address', 'city', 'province', 'zip', 'country'] as const).flatMap((field) =>
    at(field) === '' ? [] : [[field, field === 'country' && !exported ? countryNamed(at(field)) : at(field)]],
  );
  const details = {
    ...Object.fromEntries(address),
    ...coordinatesOf(at('lat'), at('lng')),
  };
  const isWhole = exported !== null || parts.length > 1 || address.length > 0;
  const placesOf = (name: string): readonly WrittenVenue[] =>
    exported ? [{ written: name, input: { name } }] : placeIn(name).venues;
  const places = names.flatMap(placesOf);
  return places.map(({ written: name, input: place }) => {
    const key = keyOf(scope, 'venue', parts.length > 1 ? parts : placeParts(name, at('city'), at('province')));
    const named = isWhole ? { name } : place;
    const label = exported ? name : foreignAsHtml(named.name);
    const { coordinates, ...said } = recordNamed(scope.rest, 'venue', name);
    const { lat, lng } = isObject(coordinates) ? coordinates : {};
    const own = { ...fieldsIn(said, PLACE_ROWS), ...coordinatesOf(cell(lat), cell(lng)) };
    const publication = publicationIn(said, cell(said.status));
    const input = { ...own, ...named, name: label, ...(places.length === 1 && details), ...publication };
    return postNamed(originOf(scope, key, name), input);
  });
}

/** Zero in both is written where none is known. */
export function coordinatesOf(...texts: readonly [lat: string, lng: string]): Pick<VenueInput, 'coordinates'> {
  const [lat = 0, lng = 0] = texts.map((one) => (one === '' ? Number.NaN : Number(one.replace(',', '.'))));
  return Number.isFinite(lat + lng) && (lat !== 0 || lng !== 0) ? { coordinates: { lat, lng } } : {};
}

/** What tells a venue from others of its name. */
export const placeParts = (name: string, city: string, province: string): readonly string[] =>
  province === '' ? [name, city] : [name, city, province];

export function organizersOf(scope: Scope): PlannedPost<OrganizerInput>[] {
  const names = split(textOf(scope, 'organizer'), scope, separatorsOf(scope, 'organizer'));
  return names.map((name) => {
    const record = recordNamed(scope.rest, 'organizer', name);
    const input = {
      ...fieldsIn(record, CONTACT_ROWS),
      name: scope.exported ? name : foreignAsHtml(name),
      ...publicationIn(record, cell(record.status)),
    };
    return postNamed(originOf(scope, keyOf(scope, 'organizer', [name]), name), input);
  });
}
