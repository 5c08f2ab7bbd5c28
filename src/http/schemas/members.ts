// Building blocks of answer schemas. Every member of an answer is described. Their types are inferred: they are what
// answers are typed by (components.ts).
import type { DescriptionKey } from '../../locales/language.ts';
import Type, { type TProperties, type TRecord, type TSchema } from './type.ts';

export const text = (description: DescriptionKey) => Type.String({ description });

export const integer = (description: DescriptionKey) => Type.Integer({ description });

export const decimal = (description: DescriptionKey) => Type.Number({ description });

export const flag = (description: DescriptionKey) => Type.Boolean({ description });

export const oneOf = <Value extends string>(description: DescriptionKey, values: readonly Value[]) =>
  Type.Unsafe<Value>({ type: 'string', description, enum: [...values] });

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

export const anything = <Value = Json>(description: DescriptionKey) => Type.Unsafe<Value>({ description });

/** `YYYY-MM-DD HH:MM:SS`; all zeros for a floating date. */
export const dateTime = (description: DescriptionKey) =>
  Type.String({ description, pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$' });

/** ISO 8601 with an offset. */
export const instant = (description: DescriptionKey) => Type.String({ description, format: 'date-time' });

export const address = (description: DescriptionKey) => Type.String({ description, format: 'uri' });

export const listOf = <Item extends TSchema>(items: Item, description: DescriptionKey) =>
  Type.Array(items, { description });

/** A list that never has members. */
export const emptyList = (description: DescriptionKey) => Type.Array(Type.Unknown(), { description, maxItems: 0 });

export const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

export const eitherOf = <const Schemas extends TSchema[]>(description: DescriptionKey, schemas: [...Schemas]) =>
  Type.Union(schemas, { description });

export const object = <Members extends TProperties>(description: DescriptionKey, members: Members) =>
  Type.Object(members, { description });

/** Members of one shape. */
export const alike = <Name extends string, Schema extends TSchema>(names: readonly Name[], schema: Schema) =>
  // Each of them.
  Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, Schema>;

/** An object whose member names are not known beforehand. */
export const mapOf = <Values extends TSchema>(values: Values, description: DescriptionKey): TRecord<string, Values> =>
  // Type.Record would write patternProperties, which OpenAPI 3.0 does not know.
  ({ type: 'object', description, additionalProperties: values }) as unknown as TRecord<string, Values>;

/**
 * A component of components.ts, by its name there. The reference is wrapped, because OpenAPI 3.0 ignores its siblings.
 */
export const component = <Name extends string>(name: Name, description: DescriptionKey) =>
  Type.Intersect([Type.Ref(name)], { description });
