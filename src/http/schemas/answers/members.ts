// The pieces that answer schemas are made of. Every member of an answer says what it holds.
import Type, { type TObject, type TProperties, type TSchema } from 'typebox';

export const text = (description: string): TSchema => Type.String({ description });

export const integer = (description: string): TSchema => Type.Integer({ description });

export const decimal = (description: string): TSchema => Type.Number({ description });

export const flag = (description: string): TSchema => Type.Boolean({ description });

export const oneOf = (description: string, values: readonly string[]): TSchema =>
  Type.String({ description, enum: [...values] });

/** Any JSON. */
export const anything = (description: string): TSchema => Type.Unknown({ description });

/** `YYYY-MM-DD HH:MM:SS`; all zeros where nobody has fixed a date yet. */
export const dateTime = (description: string): TSchema =>
  Type.String({ description, pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$' });

/** ISO 8601 with an offset. */
export const instant = (description: string): TSchema => Type.String({ description, format: 'date-time' });

export const address = (description: string): TSchema => Type.String({ description, format: 'uri' });

export const listOf = (items: TSchema, description: string): TSchema => Type.Array(items, { description });

/** A list that never has members. */
export const emptyList = (description: string): TSchema => Type.Array(Type.Unknown(), { description, maxItems: 0 });

export const orNull = (schema: TSchema): TSchema => Type.Union([schema, Type.Null()]);

export const eitherOf = (description: string, schemas: readonly TSchema[]): TSchema =>
  Type.Union([...schemas], { description });

export const object = (description: string, members: TProperties): TObject => Type.Object(members, { description });

/** An object whose member names are not known beforehand. */
export const mapOf = (values: TSchema, description: string): TSchema =>
  Type.Object({}, { description, additionalProperties: values });

/** Members that need not be there. */
export const optional = (members: TProperties): TProperties =>
  Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, Type.Optional(schema)]));

/** A component of src/http/schemas/answers/components.ts, by its name there. */
export const component = (name: string, description: string): TSchema => Type.Ref(name, { description });
