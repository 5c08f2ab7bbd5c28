// The table of fields of a resource. Types, defaults, facts and folds are derived from the rows here; parameters,
// answers, exports, imports, indexes and histories elsewhere.
// decision 16
import type { Fact } from '../../../domain/decider.ts';

/**
 * The fact that carries a field, with all other fields of that fact; or the two facts that switch a flag on and off.
 */
type FactTypes = string | readonly [on: string, off: string];

/** A field of any type, with code of its own. */
interface Field<Value = unknown, Types extends FactTypes = FactTypes> {
  /** Its name on the wire, in exports and in histories. */
  readonly wire: string;
  /** The default, also for facts that were recorded before the field existed. */
  readonly blank: Value;
  readonly fact: Types;
}

/** `line`: plain text on one line. `html`: text with markup. `url`: an address. `ages`, `languages`: as audience.ts of events reads them. */
export type PlainKind = 'flag' | 'line' | 'html' | 'url' | 'ages' | 'languages';

/** A field without code of its own. */
interface PlainField<Value = boolean | string, Types extends FactTypes = FactTypes> extends Field<Value, Types> {
  readonly kind: PlainKind;
  /** For a flag: lists can filter by it. */
  readonly filter?: true;
  /**
   * Not part of the original contract: shown after all other members. `masked`: hidden by a password. `once said`: only where it is
   * not blank; of these a password hides texts.
   */
  readonly addition?: 'always shown' | 'masked' | 'once said';
}

type Details = Pick<PlainField, 'filter' | 'addition'>;

export type FieldTable = { readonly [member: string]: Field };

export const flag = <const Wire extends string, const Types extends FactTypes, const D extends Details>(
  wire: Wire,
  fact: Types,
  details?: D,
) => ({ kind: 'flag', wire, blank: false as boolean, fact, ...(details as D) }) as const;

/** A flag that is on by default. */
export const flagOn = <const Wire extends string, const Types extends FactTypes>(wire: Wire, fact: Types) =>
  ({ ...flag(wire, fact, {}), blank: true as boolean }) as const;

const text =
  <const Kind extends PlainKind>(kind: Kind) =>
  <const Wire extends string, const Type extends string, const D extends Details>(
    wire: Wire,
    fact: Type,
    details?: D,
  ) =>
    ({ kind, wire, blank: '' as string, fact, ...(details as D) }) as const;

export const line = text('line');
export const html = text('html');
export const url = text('url');
export const ages = text('ages');
export const languages = text('languages');

/** What commands take for a field, where that is not its value. For the compiler: the member is never there. */
interface Takes<Input> {
  readonly input?: Input;
}

export const takes = <Input>(): Takes<Input> => ({});

export const value = <Value, const Wire extends string, const Type extends string, Input = Value>(
  wire: Wire,
  fact: Type,
  blank: Value,
  _takes?: Takes<Input>,
): Field<Value, Type> & Takes<Input> & { readonly wire: Wire } => ({ wire, blank, fact });

/** The content of a resource: one member per row. */
export type Content<T extends FieldTable> = { readonly [Member in keyof T]: T[Member]['blank'] };

type PlainMember<T extends FieldTable> = {
  [Member in keyof T]: T[Member] extends { readonly kind: PlainKind } ? Member : never;
}[keyof T];

type InputOf<F extends Field> = 'input' extends keyof F ? Exclude<F['input'], undefined> : F['blank'];

/** What commands take for the fields of a resource; absent members were not sent. */
export type FieldInput<T extends FieldTable> = { readonly [Member in keyof T]?: InputOf<T[Member]> };

/** Values by the names on the wire. */
export type FieldValues<T extends FieldTable> = {
  readonly [Member in keyof T as T[Member]['wire']]?: InputOf<T[Member]>;
};

/** The facts that carry the fields of a table. */
export type FieldFact<T extends FieldTable> = {
  [Member in keyof T]: T[Member]['fact'] extends readonly [infer On extends string, infer Off extends string]
    ? Fact<On | Off, Record<string, never>>
    : T[Member]['fact'] extends infer Type extends string
      ? Fact<Type, { readonly [Other in keyof T as T[Other]['fact'] extends Type ? Other : never]: T[Other]['blank'] }>
      : never;
}[keyof T];

/** The default of a field. */
export const blankOf = <T extends FieldTable>(table: T): Content<T> =>
  // One member per row, under the same name.
  Object.fromEntries(Object.entries(table).map(([member, { blank }]) => [member, blank])) as Content<T>;

/** A plain field with its member name. */
export interface Row<Member extends string = string, Value = boolean | string, Wire extends string = string>
  extends PlainField<Value> {
  readonly member: Member;
  readonly wire: Wire;
}

type RowOf<T extends FieldTable> = {
  [Member in PlainMember<T> & string]: Row<Member, T[Member]['blank'], T[Member]['wire']>;
}[PlainMember<T> & string];

/** The plain fields of a table, in its order. */
export const plainRows = <T extends FieldTable>(table: T): readonly RowOf<T>[] =>
  Object.entries(table).flatMap(([member, field]) =>
    // Rows with a kind are plain.
    'kind' in field ? [{ member, ...field } as unknown as RowOf<T>] : [],
  );

/** Values for these rows; absent members were not sent. */
export type PartialFields<R extends Row> = { readonly [One in R as One['member']]?: One['blank'] };

/** The values of these rows by their wire names. */
export const byWire = <R extends Row>(
  rows: readonly R[],
  content: { readonly [Member in R['member']]: boolean | string },
): { [wire: string]: boolean | string } =>
  Object.fromEntries(rows.map(({ wire, member }) => [wire, content[member as R['member']]] as const));

type Values = { readonly [member: string]: unknown };

/** Whether a sent member differs from the present one. Content is plain data, so comparing JSON is enough. */
const differs = (state: Values, patch: Values, member: string): boolean =>
  patch[member] !== undefined && JSON.stringify(patch[member]) !== JSON.stringify(state[member]);

/** The facts that apply a patch to a state, in row order. Without a difference there is no fact. */
export function fieldFacts<T extends FieldTable>(
  table: T,
  state: Content<T>,
  patch: Partial<Content<T>>,
): FieldFact<T>[] {
  const facts = new Map<string, Fact>();
  for (const [member, { fact }] of Object.entries(table)) {
    if (!differs(state, patch, member)) continue;
    const [type, data] =
      typeof fact === 'string' ? [fact, together(table, fact, state, patch)] : [fact[patch[member] ? 0 : 1], {}];
    facts.set(type, { type, data });
  }
  // Types come from the rows, with the members that they carry.
  return [...facts.values()] as FieldFact<T>[];
}

const together = (table: FieldTable, type: string, state: Values, patch: Values): Values =>
  Object.fromEntries(
    Object.entries(table)
      .filter(([, { fact }]) => fact === type)
      .map(([member]) => [member, patch[member] === undefined ? state[member] : patch[member]]),
  );

/** Folds the facts of a table: the changed content, or null if the fact belongs to another table. */
export function fieldFold<T extends FieldTable>(table: T): (fact: Fact) => Partial<Content<T>> | null {
  const flags = new Map<string, Values>();
  const others = new Set<string>();
  for (const [member, { fact }] of Object.entries(table)) {
    if (typeof fact === 'string') others.add(fact);
    else for (const type of fact) flags.set(type, { [member]: type === fact[0] });
  }
  // The data of such a fact are content members.
  return ({ type, data }) => (flags.get(type) ?? (others.has(type) ? data : null)) as Partial<Content<T>> | null;
}
