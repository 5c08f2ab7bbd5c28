// Tables of venues or of organizers, with the headings of The Events Calendar: `Venue Name`, `Organizer Email`.
import { CONTACT_ROWS } from '../../../../calendar/linked-post/domain/organizer.ts';
import { PLACE_ROWS } from '../../../../calendar/linked-post/domain/venue.ts';
import { oneLine } from '../../../../kernel/text/plain-text.ts';
import { fieldsIn } from '../../fields.ts';
import { EMPTY_PLAN, type PlannedPost, postNamed, type Reading } from '../../import-plan.ts';
import { cell, htmlOf, inOneLine, keyOf, originOf, plainAsHtml, type TableReading } from './cells.ts';
import { columnNamed } from './headings.ts';
import { coordinatesOf, placeParts } from './relations.ts';
import type { Row } from './rows.ts';

/** The members of both, each with the words that follow `Venue` or `Organizer` in a heading. */
const MEMBERS = {
  name: ['name'],
  description: ['description'],
  address: ['address'],
  address2: ['address2'],
  city: ['city'],
  province: ['stateprovince', 'state', 'province'],
  zip: ['zip', 'zipcode', 'postalcode'],
  country: ['country'],
  lat: ['latitude', 'lat'],
  lng: ['longitude', 'lng'],
  phone: ['phone'],
  website: ['website', 'url'],
  email: ['email'],
  image: ['featuredimage', 'image'],
} as const;

type Member = keyof typeof MEMBERS;
type Kind = 'venue' | 'organizer';

interface PostsRead {
  readonly readings: readonly Reading[];
  readonly remarks: readonly string[];
}

/** Null for a table of anything else. */
export function readPosts(rows: readonly Row[], columns: readonly string[], reading: TableReading): PostsRead | null {
  const kind = (['venue', 'organizer'] as const).find((one) => columnNamed(columns, [`${one}name`]) !== undefined);
  if (kind === undefined) return null;
  const members = new Map<Member, string>();
  for (const [member, words] of Object.entries(MEMBERS)) {
    const column = columnNamed(
      columns,
      words.map((word) => kind + word),
    );
    if (column !== undefined) members.set(member as Member, column); // The keys of that very object.
  }
  const usedColumns = [...members.values()];
  const otherColumns = columns.filter((column) => !usedColumns.includes(column));
  const uses = [...members].map(([member, column]) => `${member}=${oneLine(column)}`);
  return {
    readings: rows.map((row, index) => readPost(kind, row, { index, members, reading })),
    remarks: [
      `${reading.file}: columns were taken as ${uses.join(', ')}`,
      ...(otherColumns.length === 0
        ? []
        : [`${reading.file}: columns that are not used: ${otherColumns.map(oneLine).join(', ')}`]),
    ],
  };
}

interface PostTable {
  readonly index: number;
  readonly members: ReadonlyMap<Member, string>;
  readonly reading: TableReading;
}

function readPost(kind: Kind, { values, line, problem }: Row, { index, members, reading }: PostTable): Reading {
  const place = { file: reading.file, index, line };
  const at = (member: Member): string => cell(values[members.get(member) ?? '']);
  const name = inOneLine(at('name'));
  const reason = problem ?? (name === '' ? 'no name' : null);
  if (reason !== null) return { plan: EMPTY_PLAN, faults: [{ kind, name: name || '(no name)', place, reason }] };
  const table = {
    ...{ ...reading, mapping: { columns: {} }, flags: [], currencyPosition: '' },
    ...{ isDayFirst: false, repeated: new Set<string>() },
  };
  const scope = { values, place, table, exported: null, rest: {} };
  const parts = kind === 'venue' ? placeParts(name, at('city'), at('province')) : [name];
  const origin = originOf(scope, keyOf(scope, kind, parts), name);
  const address = [at('address'), at('address2')].filter(Boolean).join(', ');
  const filled = [...members.keys()].flatMap((member) => (at(member) === '' ? [] : [[member, at(member)] as const]));
  const record = { ...Object.fromEntries(filled), ...(address !== '' && { address }) };
  const texts = {
    name: plainAsHtml(name),
    ...(at('description') !== '' && { description: htmlOf(at('description'), null) }),
    ...(at('image') !== '' && { image: at('image') }),
  };
  const planned = <Input>(input: Input): PlannedPost<Input> => ({ ...postNamed(origin, input), upkeep: 'follow' });
  const plan =
    kind === 'venue'
      ? { venues: [planned({ ...fieldsIn(record, PLACE_ROWS), ...texts, ...coordinatesOf(at('lat'), at('lng')) })] }
      : { organizers: [planned({ ...fieldsIn(record, CONTACT_ROWS), ...texts })] };
  return { plan: { ...EMPTY_PLAN, ...plan }, faults: [] };
}
