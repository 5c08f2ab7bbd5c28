// Building blocks of answer schemas. Every member of an answer is described.
import Type, { type TObject, type TProperties, type TSchema } from 'typebox';
import type { DescriptionKey } from '../../locales/language.ts';

export const text = (description: DescriptionKey): TSchema => Type.String({ description });

export const integer = (description: DescriptionKey): TSchema => Type.Integer({ description });

export const decimal = (description: DescriptionKey): TSchema => Type.Number({ description });

export const flag = (description: DescriptionKey): TSchema => Type.Boolean({ description });

export const oneOf = (description: DescriptionKey, values: readonly string[]): TSchema =>
  Type.String({ description, enum: [...values] });

/** Any JSON. */
export const anything = (description: DescriptionKey): TSchema => Type.Unknown({ description });

/** `YYYY-MM-DD HH:MM:SS`; all zeros for a floating date. */
export const dateTime = (description: DescriptionKey): TSchema =>
  Type.String({ description, pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$' });

/** ISO 8601 with an offset. */
export const instant = (description: DescriptionKey): TSchema => Type.String({ description, format: 'date-time' });

export const address = (description: DescriptionKey): TSchema => Type.String({ description, format: 'uri' });

export const listOf = (items: TSchema, description: DescriptionKey): TSchema => Type.Array(items, { description });

/** A list that never has members. */
export const emptyList = (description: DescriptionKey): TSchema =>
  Type.Array(Type.Unknown(), { description, maxItems: 0 });

export const orNull = (schema: TSchema): TSchema => Type.Union([schema, Type.Null()]);

export const eitherOf = (description: DescriptionKey, schemas: readonly TSchema[]): TSchema =>
  Type.Union([...schemas], { description });

export const object = (description: DescriptionKey, members: TProperties): TObject =>
  Type.Object(members, { description });

/** An object whose member names are not known beforehand. */
export const mapOf = (values: TSchema, description: DescriptionKey): TSchema => ({
  type: 'object',
  description,
  additionalProperties: values,
});

/**
 * A component of components.ts, by its name there. The reference is wrapped, because OpenAPI 3.0 ignores its siblings.
 */
export const component = (name: string, description: DescriptionKey): TSchema =>
  Type.Intersect([Type.Ref(name)], { description });
