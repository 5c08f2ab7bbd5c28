// Lists of persons and of places have dates as well: of a membership, of an opening. They are told from lists of events by their
// names and by what their records have.
import { type ForeignRecord, isObject } from './fields.ts';
import { beginnings, plainRecords } from './formats/table/plain-records.ts';

const NAMES = new Set(
  'member membership person people employee staff user contact customer client volunteer student pupil teacher player guest'
    .concat(
      ' attendee participant donor subscriber subscription tenant venue place location room building branch office',
    )
    .concat(
      ' store shop museum mitglied mitglieder mitgliedschaften mitarbeiter mitarbeitende personen personal nutzer kunden',
    )
    .concat(' kontakte ort orte veranstaltungsorte räume standorte membre adhérent adhérente employé personne salarié')
    .concat(
      ' utilisateur lieu lieux salle miembro socio empleado persona usuario lugar lugare sala soci membri dipendenti',
    )
    .concat(' persone utenti luoghi sedi leden medewerkers plaatsen locaties zalen membro funcionário pessoa locai')
    .concat(' メンバー 会員 社員 職員 会場 場所')
    .split(' '),
);
const LIST = /^(?:list|data|items|all)$/;

/** Whether a list of this name would have persons or places: `boardMembers`, `venue_list`. */
function isOfOthers(name: string): boolean {
  const words = name
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, '_')
    .toLowerCase()
    .split(/[\W_]+/u);
  const last = words.filter((word) => !LIST.test(word)).at(-1) ?? '';
  return NAMES.has(last) || NAMES.has(last.replace(/s$/, ''));
}

/** What an event has, and neither a person nor a place. */
const OF_EVENTS =
  /^(?:events?(?![a-z])|is_?all_?day|all_?day|ticket|organi[sz]er|doors?(?![a-z])|performer|line_?up|recurrence|rrule|cancel)/i;
/** A time of day; a day of JavaScript in UTC is none. */
const CLOCK = /(?:^|[T "])(?!0?0:00|2[23]:00:00\.000Z)\d{1,2}:\d\d(?::00)?(?![:\d])/;

const isOfEvent = (record: ForeignRecord): boolean =>
  Object.keys(record).some((name) => OF_EVENTS.test(name)) ||
  beginnings(record).some((value) => CLOCK.test(JSON.stringify(value)));

/** One of these makes a person. */
const OF_PERSONS =
  /^(?:(?:first|last|given|family)_?name|surname|(?:vor|nach|familien)name|prénom|apellidos?|date_?of_?birth|birth_?(?:date|day)|geburts(?:tag|datum)|dob|hire_?date|hired(?:_?(?:at|on))?|job_?title|salary|employee_?(?:id|no|number)|member(?:ship)?_?(?:id|no|nr|number|type|since)|mitglied(?:snummer|_?seit))$/i;
/** Two of these do, if there is nothing that tells of a happening. */
const OF_MANY_PERSONS =
  /^(?:e_?mail|phone|mobile|role|position|department|manager|supervisor|team|plan|tier|level|membership)$/i;
const OF_HAPPENINGS =
  /^(?:end|until|title$|venue|location|place|where|address|city|desc|summary|subject|url|link|website|image|price|cost)/i;

function isPerson(record: ForeignRecord): boolean {
  const names = Object.keys(record);
  if (names.some((name) => OF_PERSONS.test(name))) return true;
  return (
    names.filter((name) => OF_MANY_PERSONS.test(name)).length > 1 && !names.some((name) => OF_HAPPENINGS.test(name))
  );
}

/** So many records of a list are looked at. */
export const LOOKED_AT = 5;

/** What these records are instead of events; null if they may be events. `name` is that of their list. */
export function othersIn(records: readonly unknown[], name = ''): string | null {
  const dated = records
    .slice(0, LOOKED_AT)
    .filter(isObject)
    .flatMap((written) => {
      const plain = plainRecords(written, '').filter((record) => beginnings(record).length > 0);
      return plain.map((record) => ({ record, type: 'attributes' in written ? String(written.type) : name }));
    });
  if (dated.length === 0 || dated.some(({ record }) => isOfEvent(record))) return null;
  const kinds = dated.map(({ record, type }) => [name, type].find(isOfOthers) ?? (isPerson(record) ? 'persons' : null));
  return kinds.every((kind) => kind !== null) ? (kinds[0] ?? null) : null;
}
