// Which column of a table is which field: given by `--map`, or guessed from the column names.
import { readFileSync } from 'node:fs';
import { EVENT_ROWS } from '../../../domain/calendar-event.ts';
import { foldToAscii } from '../../../text/ascii-folding.ts';
import { isObject, Unreadable } from '../../fields.ts';

/** Synonyms of field names, in several languages; compared without case, accents, blanks and punctuation. */
const SYNONYMS = {
  uid: 'id, guid, eventid, externalid, key',
  title:
    'name, event, eventname, eventtitle, summary, subject, titel, bezeichnung, veranstaltung, titre, nom, titulo, nombre, titolo, evento, naam',
  start:
    'startdate, startdatetime, startsat, date, begin, begins, from, dtstart, beginn, startdatum, datum, debut, datedebut, inicio, fechainicio, fecha, inizio, data, dtinicio',
  start_time: 'starttime, time, begintime, startzeit, uhrzeit, zeit, heure, heuredebut, hora, horainicio, ora, tijd',
  end: 'enddate, enddatetime, endsat, finish, until, to, dtend, ende, enddatum, fin, datefin, fechafin, fine, einde, fim',
  end_time: 'endtime, endzeit, heurefin, horafin, finishtime',
  timezone: 'tz, zone, zeitzone, fuseauhoraire, zonahoraria, fuso',
  all_day: 'allday, alldayevent, ganztagig, journeeentiere, todoeldia',
  status: '',
  slug: '',
  venue: 'location, place, where, venuename, ort, veranstaltungsort, lieu, lugar, sede, luogo, locatie, local',
  address: 'street, streetaddress, adresse, strasse, direccion, indirizzo, adres, endereco',
  city: 'town, stadt, ville, ciudad, citta, stad, cidade',
  province: 'state, region, stateprovince, bundesland, provincia',
  zip: 'zipcode, postcode, postalcode, plz, codepostal, codigopostal, cap',
  country: 'land, pays, pais, paese',
  lat: 'latitude, breitengrad, latitud',
  lng: 'lon, long, longitude, langengrad, longitud',
  organizer:
    'organiser, organizers, organisers, host, owner, organizername, veranstalter, organisateur, organizador, organizzatore',
  category: 'categories, kategorie, kategorien, type, topic, categorie, categoria, categorias',
  tags: 'tag, keywords, labels, schlagworter, stichworte, etiquetas, etiquettes',
  url: 'website, link, web, webseite, homepage, eventurl, siteweb, sitio, sito',
  cost: 'price, fee, admission, preis, eintritt, kosten, prix, precio, prezzo, prijs, preco',
  image: 'picture, imageurl, photo, bild, imagen, immagine',
  description: 'details, body, notes, text, beschreibung, descripcion, descrizione, omschrijving, descricao',
  excerpt: 'teaser, kurzbeschreibung',
  event_status: '',
} as const;

export type Field = keyof typeof SYNONYMS;
export const FIELDS = Object.keys(SYNONYMS) as readonly Field[]; // The keys of this very object.

/** Flags of events are columns with their wire names. */
export const FLAG_ROWS = EVENT_ROWS.filter(({ kind }) => kind === 'flag');

/** What is used from a column, or from the file name if `file` is set, for a list of terms. */
export interface Source {
  readonly column?: string;
  readonly file?: true;
  /** Used if this column is true; `text` is the value. */
  readonly when?: string;
  readonly text?: string;
  readonly separator?: string;
  /** Display names of values. */
  readonly names?: { readonly [value: string]: string } | 'languages';
}

/** A paragraph of the description; left out if one of its columns is empty. */
export interface Paragraph {
  /** `{column}` stands for the value of a column. */
  readonly text: string;
  readonly link?: string;
  readonly when?: string;
  /** Follows the link if its columns are not empty. */
  readonly suffix?: string;
}

export interface Mapping {
  /** The name of the collection in histories; rows of one collection are identified by their keys. */
  readonly source?: string;
  readonly keyPrefix?: string;
  /** Columns that identify a row without `uid`. */
  readonly key?: readonly string[];
  /** Columns of each field; several are joined. */
  readonly columns: { readonly [Name in Field]?: readonly string[] };
  readonly terms?: { readonly category?: readonly Source[]; readonly tags?: readonly Source[] };
  readonly description?: readonly Paragraph[];
  /** The days of a table without times are not searched for a time. */
  readonly allDay?: boolean;
  /** `union`: the same event in several files gets the terms of all of them. */
  readonly merge?: 'union';
  /** Separates several values of one cell. */
  readonly separator?: string;
}

export class MappingError extends Error {
  override readonly name = 'MappingError';
}

/** `title=Name,start="Start date"`, or the name of a JSON file. Throws `MappingError`. */
export const readMapping = (text: string): Mapping =>
  /^\s*\w+\s*=/.test(text) ? inlineMapping(text) : checked(fromFile(text));

/** `title=Name,start="Start date"`; never a file. Throws `MappingError`. */
export const inlineMapping = (text: string): Mapping => checked({ columns: inline(text) });

/** Throws `MappingError` for what is no field. */
function checked(value: Partial<Mapping>): Mapping {
  const columns: { [Name in Field]?: readonly string[] } = {};
  for (const [name, given] of Object.entries(isObject(value.columns) ? value.columns : {})) {
    const field = FIELDS.find((one) => one === name) ?? fieldNamed(name);
    if (!field) throw new MappingError(`${name} is not a field; the fields are ${FIELDS.join(', ')}`);
    columns[field] = (Array.isArray(given) ? given : [given]).map(String);
  }
  return { ...value, columns };
}

function fromFile(file: string): Partial<Mapping> {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (isObject(value)) return value; // Members that are not as they should be are not used.
  } catch (error) {
    throw new MappingError(`${file} is not a mapping as JSON (${error instanceof Error ? error.message : error})`);
  }
  throw new MappingError(`${file} is not a JSON object`);
}

function inline(text: string): Mapping['columns'] {
  const columns: { [name: string]: readonly string[] } = {};
  const pair = /\s*(\w+)\s*=\s*(?:"((?:[^"]|"")*)"|([^,]*?))\s*(?:,|$)/y;
  while (pair.lastIndex < text.length) {
    const at = pair.lastIndex;
    const [, name, quoted, bare = ''] = pair.exec(text) ?? [];
    if (name === undefined) throw new MappingError(`"${text.slice(at)}" is not FIELD=COLUMN`);
    columns[name] = [quoted?.replaceAll('""', '"') ?? bare];
  }
  return columns;
}

const compared = (name: string): string =>
  foldToAscii(name)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');

const BY_NAME: ReadonlyMap<string, Field> = new Map(
  FIELDS.flatMap((field) =>
    [compared(field), ...SYNONYMS[field].split(', ')].map((name) => [name, field] as const),
  ).filter(([name]) => name !== ''),
);

const fieldNamed = (name: string): Field | undefined => BY_NAME.get(compared(name));

/** Columns under the names of fields or their synonyms; of several the first counts. */
export function guessMapping(columns: readonly string[]): Mapping {
  const found: { [Name in Field]?: readonly string[] } = {};
  for (const column of columns) {
    const field = fieldNamed(column);
    if (field) found[field] ??= [column];
  }
  const place = [...(found.city ?? []), ...(found.country ?? [])];
  return { columns: found.venue || place.length === 0 ? found : { ...found, venue: place } };
}

/** Without these two a row cannot become an event. */
export const isUsable = ({ columns }: Mapping): boolean => columns.title !== undefined && columns.start !== undefined;

/** The columns of a table, each with the field that it gives; null: it is not used as one. */
export type ColumnUse = { readonly name: string; readonly field: Field | null };

export const columnUses = (columns: readonly string[], mapping: Mapping): readonly ColumnUse[] =>
  columns.map((name) => ({
    name,
    field: FIELDS.find((field) => mapping.columns[field]?.includes(name)) ?? null,
  }));

/** A table whose columns do not give title and start. */
export class UnusableTable extends Unreadable {
  readonly columns: readonly ColumnUse[];

  constructor(message: string, columns: readonly ColumnUse[]) {
    super(message);
    this.columns = columns;
  }
}

/** Columns that a mapping does not use. */
export function unusedColumns(columns: readonly string[], mapping: Mapping): string[] {
  const terms = [...(mapping.terms?.category ?? []), ...(mapping.terms?.tags ?? [])];
  const templates = (mapping.description ?? []).flatMap(({ text, link, when, suffix = '' }) => [
    ...placeholders(`${text}${suffix}`),
    ...(link === undefined ? [] : [link]),
    ...(when === undefined ? [] : [when]),
  ]);
  const used = new Set([
    ...Object.values(mapping.columns).flat(),
    ...(mapping.key ?? []),
    ...terms.flatMap(({ column = '', when = '' }) => [column, when]),
    ...templates,
    ...FLAG_ROWS.map(({ wire }) => wire),
  ]);
  return columns.filter((column) => !used.has(column));
}

export const placeholders = (template: string): string[] =>
  [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
