// Keywords of parameter schemas besides those of JSON Schema. Implementation: src/http/parameters.
import type { TermKind } from '../../calendar/term/domain/term.ts';
import Type, { type TObject, type TSchema } from './type.ts';

export type WireType = 'string' | 'integer' | 'number' | 'boolean';
export type LookupKind = 'event' | 'venue' | 'organizer';

/** Each check of a value by name, with the type of its argument. */
export interface Checks {
  readonly filledText: readonly [];
  readonly nonEmptyString: readonly [];
  readonly searchedText: readonly [];
  readonly termName: readonly [];
  readonly stringOrEmpty: readonly [];
  readonly longText: readonly [];
  readonly newPassword: readonly [];
  readonly positiveInt: readonly [];
  readonly countUpTo: readonly [most: number];
  readonly seconds: readonly [most: number];
  readonly percent: readonly [];
  readonly time: readonly [];
  readonly userId: readonly [];
  readonly role: readonly [];
  readonly proposalStates: readonly [];
  readonly resourceKind: readonly [];
  /** Of one kind, some of them. */
  readonly reviewRules: readonly [];
  readonly eventReviewRules: readonly [];
  readonly siteName: readonly [];
  readonly siteCurrency: readonly [];
  readonly siteLinks: readonly [];
  readonly siteLogo: readonly [];
  readonly siteAccent: readonly [];
  readonly searchName: readonly [];
  readonly searchQuery: readonly [];
  readonly writableStatus: readonly [];
  readonly listedStatus: readonly [];
  readonly zoneOrEmpty: readonly [];
  readonly urlOrEmpty: readonly [];
  readonly agesOrEmpty: readonly [];
  readonly languagesOrEmpty: readonly [];
  /** One or several of them, separated by commas or as a list. */
  readonly someLanguages: readonly [];
  readonly image: readonly [];
  readonly imageOrEmpty: readonly [];
  readonly flagWord: readonly [];
  readonly termFilter: readonly [kind: TermKind];
  readonly termReferences: readonly [kind: TermKind];
  readonly termReferencesOnly: readonly [];
  readonly termId: readonly [kind: TermKind];
  readonly termList: readonly [];
  readonly postId: readonly [kind: LookupKind];
  readonly postIdOrEmpty: readonly [kind: LookupKind];
  readonly postIds: readonly [kind: LookupKind];
  readonly postSlug: readonly [kind: LookupKind];
  readonly idsOnly: readonly [];
  /** A list of whole numbers from 0. */
  readonly counts: readonly [];
  /** Ids, and objects that are validated by a schema of their own. */
  readonly linkedPosts: readonly [kind: 'venue' | 'organizer', entry: TObject];
  readonly cost: readonly [];
  /** Rules and single dates of a series. */
  readonly recurrence: readonly [];
  /** `partner` is the other coordinate, without which this one is invalid. */
  readonly coordinate: readonly [limit: 90 | 180, partner: string];
  readonly radius: readonly [];
  /** One of these words. */
  readonly oneOf: readonly [words: readonly string[]];
  /** One or several of them, separated by commas or as a list. */
  readonly someOf: readonly [words: readonly string[]];
  readonly anything: readonly [];
  readonly nothing: readonly [];
}

/** A check in a schema: its name, with its argument. */
export type PlainCheck = {
  readonly [Name in keyof Checks]: Checks[Name] extends readonly [] ? Name : readonly [Name, ...Checks[Name]];
}[keyof Checks];

/** `existing`: the first check applies to queries about today, the second to those about the past. */
export type Check = PlainCheck | readonly ['existing', today: PlainCheck, form: PlainCheck];

/** The part of a parameter's schema that this service reads. */
export interface WireSchema {
  readonly type?: WireType;
  readonly format?: string;
  readonly items?: unknown;
  readonly default?: unknown;
  readonly description?: string;
  readonly check?: Check;
  /** Declared only in order to be refused: index and document leave it out. */
  readonly hidden?: true;
  /** The parameter that this is another name of: handlers find the value there. */
  readonly otherNameOf?: string;
  /** Types accepted besides `type`; not shown to clients. */
  readonly alsoTakes?: readonly ('number' | 'boolean' | 'null')[];
}

/** The keywords of a TypeBox schema, whose static type does not have them. */
export const wireSchema = (schema: TSchema): WireSchema => schema as WireSchema;

/** A declared parameter, and whether it must be sent. */
export type Parameter = readonly [name: string, schema: TSchema, isRequired: boolean];

/** The parameters that a schema declares. */
export const parametersOf = ({ properties }: TObject): Parameter[] =>
  Object.entries(properties).map(([name, schema]) => [name, schema, !Type.IsOptional(schema)]);
