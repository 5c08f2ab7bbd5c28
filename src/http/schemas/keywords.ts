// Keywords of parameter schemas besides those of JSON Schema. Implementation: src/http/parameters.
import type { TermKind } from '../../calendar/term/domain/term.ts';
import Type, { type TObject, type TSchema } from './type.ts';

export type WireType = 'string' | 'integer' | 'number' | 'boolean';
export type LookupKind = 'event' | 'venue' | 'organizer';

/** Checks without arguments. */
export type CheckName =
  | 'filledText'
  | 'nonEmptyString'
  | 'searchedText'
  | 'termName'
  | 'stringOrEmpty'
  | 'longText'
  | 'newPassword'
  | 'positiveInt'
  | 'percent'
  | 'time'
  | 'userId'
  | 'role'
  | 'proposalStates'
  | 'resourceKind'
  /** Of one kind, some of them. */
  | 'reviewRules'
  | 'eventReviewRules'
  | 'siteName'
  | 'siteCurrency'
  | 'siteLinks'
  | 'siteLogo'
  | 'siteAccent'
  | 'searchName'
  | 'searchQuery'
  | 'writableStatus'
  | 'listedStatus'
  | 'zoneOrEmpty'
  | 'urlOrEmpty'
  | 'agesOrEmpty'
  | 'languagesOrEmpty'
  /** One or several of them, separated by commas or as a list. */
  | 'someLanguages'
  | 'image'
  | 'imageOrEmpty'
  | 'flagWord'
  | 'termReferencesOnly'
  | 'termList'
  | 'idsOnly'
  /** A list of whole numbers from 0. */
  | 'counts'
  | 'cost'
  /** Rules and single dates of a series. */
  | 'recurrence'
  | 'radius'
  | 'anything'
  | 'nothing';

/** Those that have arguments. */
export interface ChecksWithArguments {
  readonly countUpTo: readonly [most: number];
  readonly seconds: readonly [most: number];
  readonly termFilter: readonly [kind: TermKind];
  readonly termReferences: readonly [kind: TermKind];
  readonly termId: readonly [kind: TermKind];
  readonly postId: readonly [kind: LookupKind];
  readonly postIdOrEmpty: readonly [kind: LookupKind];
  readonly postIds: readonly [kind: LookupKind];
  readonly postSlug: readonly [kind: LookupKind];
  /** Ids, and objects that are validated by a schema of their own. */
  readonly linkedPosts: readonly [kind: 'venue' | 'organizer', entry: TObject];
  /** `partner` is the other coordinate, without which this one is invalid. */
  readonly coordinate: readonly [limit: 90 | 180, partner: string];
  /** One of these words. */
  readonly oneOf: readonly [words: readonly string[]];
  /** One or several of them, separated by commas or as a list. */
  readonly someOf: readonly [words: readonly string[]];
}

/** A check in a schema: its name, with its arguments. */
export type PlainCheck =
  | CheckName
  | {
      readonly [Name in keyof ChecksWithArguments]: readonly [Name, ...ChecksWithArguments[Name]];
    }[keyof ChecksWithArguments];

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
