// TypeBox schemas as schema objects of OpenAPI 3.0, which knows no null type, no const and nothing beside a reference.
import type { TSchema } from 'typebox';
import type { Describe, Members } from './wording.ts';

/** The keywords of JSON Schema that schemas of this service use. */
interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly maxItems?: number;
  readonly items?: JsonSchema;
  readonly properties?: { readonly [name: string]: JsonSchema };
  readonly required?: readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly additionalProperties?: boolean | JsonSchema;
}

export const schemaReference = (name: string): Members => ({ $ref: `#/components/schemas/${name}` });

/** Descriptions come out in the language of `describe`. */
export function openApiSchema(schema: TSchema, describe: Describe): Members {
  // Whatever TypeBox makes is JSON Schema; its static types do not tell the keywords.
  return translated(schema as JsonSchema, describe);
}

function translated(schema: JsonSchema, describe: Describe): Members {
  const description = schema.description === undefined ? {} : { description: describe(schema.description) };
  if (schema.$ref !== undefined) return reference(schema.$ref, description);
  if (schema.anyOf !== undefined) return { ...description, ...alternatives(schema.anyOf, describe) };
  const { properties, items, additionalProperties } = schema;
  return {
    ...kept(schema),
    ...description,
    ...(schema.const !== undefined && { enum: [schema.const] }),
    ...(items && { items: translated(items, describe) }),
    ...(properties && Object.keys(properties).length > 0 && { properties: members(properties, describe) }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'object' ? translated(additionalProperties, describe) : additionalProperties,
    }),
  };
}

const KEPT = ['type', 'format', 'pattern', 'enum', 'default', 'maxItems'] as const;

const kept = (schema: JsonSchema): Members => ({
  ...Object.fromEntries(KEPT.filter((name) => schema[name] !== undefined).map((name) => [name, schema[name]])),
  ...(schema.required && schema.required.length > 0 && { required: schema.required }),
});

/** What stands beside a reference is not read, so it goes around it. */
const reference = (name: string, description: Members): Members =>
  'description' in description ? { ...description, allOf: [schemaReference(name)] } : schemaReference(name);

function alternatives(schemas: readonly JsonSchema[], describe: Describe): Members {
  const others = schemas.filter(({ type }) => type !== 'null').map((one) => translated(one, describe));
  const [only] = others;
  const whole = only && others.length === 1 ? only : { anyOf: others };
  return others.length < schemas.length ? nullable(whole) : whole;
}

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null;

/** The same or null. The keyword says something only beside a type: of alternatives the first that has one says it. */
export function nullable(schema: Members): Members {
  if ('type' in schema) return { ...schema, nullable: true };
  const others = Array.isArray(schema.anyOf) ? schema.anyOf.filter(isMembers) : [schema];
  const at = others.findIndex((one) => 'type' in one);
  const { anyOf: _, ...rest } = Array.isArray(schema.anyOf) ? schema : {};
  if (at < 0) return { ...rest, anyOf: [...others, { type: 'object', nullable: true, enum: [null] }] };
  return { ...rest, anyOf: others.map((one, index) => (index === at ? { ...one, nullable: true } : one)) };
}

const members = (properties: { readonly [name: string]: JsonSchema }, describe: Describe): Members =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, translated(schema, describe)]));
