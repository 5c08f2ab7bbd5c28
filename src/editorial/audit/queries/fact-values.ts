// The values of a fact one by one, with personal data and secrets masked.
import type { Json, RecordedEvent } from '../../../log/envelope.ts';
import { isEncrypted } from '../../../people/personal-data/facts/encrypting-store.ts';
import { isObject, personalIn } from '../../../people/personal-data/facts/personal-fields.ts';

export interface FactValue {
  /** Names of members, and numbers within lists: `schedule.start`. */
  readonly path: string;
  /** Null: it is masked. */
  readonly text: string | null;
  readonly mask: 'personal' | 'secret' | null;
}

/**
 * Members that hold secrets or what they can be guessed by, wherever they are: hashes of passwords and tokens, digests of
 * links and sessions, what signs, private addresses of calendars. A test decides on the members of every type of fact.
 */
export const SECRET_MEMBERS = ['digest', 'hash', 'passwordHash', 'secret', 'source'] as const;

/** What writers say in their own words may name a person; the names of users are under their keys. */
const PERSONAL_METADATA = ['reason', 'bypassedReview', 'actor.name'];

/** Shown of one fact, and of one value: what is longer is cut. */
export const MAX_VALUES = 500;
const MAX_TEXT = 2_000;

export const dataOf = (event: RecordedEvent): readonly FactValue[] =>
  valuesIn(event.data, new Set(personalIn(event).flatMap(({ fields }) => fields)), new Set(SECRET_MEMBERS));

/** The hash of a fact proves what is stored, and is no secret. */
export function metadataOf({ id, position, schemaVersion, metadata }: RecordedEvent): readonly FactValue[] {
  const isUser = (metadata.actor.id ?? 0) > 0;
  const personal = PERSONAL_METADATA.filter((path) => isUser || path !== 'actor.name');
  const values: Json = { id, position, schemaVersion, ...metadata, actor: { ...metadata.actor } };
  return valuesIn(values, new Set(personal), new Set());
}

function valuesIn(whole: Json, personal: ReadonlySet<string>, secret: ReadonlySet<string>): readonly FactValue[] {
  const values: FactValue[] = [];

  function add(value: Json, path: string, name: string): void {
    if (values.length > MAX_VALUES) return;
    const mask = personal.has(path) || isEncrypted(value) ? 'personal' : secret.has(name) ? 'secret' : null;
    if (mask !== null && value !== null && value !== '') values.push({ path, text: null, mask });
    else if (Array.isArray(value) || isObject(value))
      for (const [member, inner] of Object.entries(value))
        add(inner, path === '' ? member : `${path}.${member}`, member);
    else values.push({ path, text: String(value).slice(0, MAX_TEXT), mask: null });
  }

  add(whole, '', '');
  return values;
}
