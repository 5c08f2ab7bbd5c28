// `npm run client`: writes what the client for JavaScript knows of the API, of the document that the service answers at /doc:
// clients/javascript/types.d.ts and operations.js. A test tells when they are outdated. `npm run client -- FILE` writes the document, too.
import { writeFileSync } from 'node:fs';
import path from 'node:path';

const FOLDER = path.resolve(import.meta.dirname, '../clients/javascript');
const HEAD = '// Written by `npm run client`.\n';
const SCHEMAS = '#/components/schemas/';
/** What the client sends by itself, or what changes the form of answers. */
const NOT_GIVEN = new Set(['_fields', '_envelope', '_locale', '_method', '_reason', 'strict']);
const METHODS_WITH_BODY = new Set(['post', 'put', 'patch']);

const isName = (name) => /^[A-Za-z_$][\w$]*$/.test(name);
const member = (name) => (isName(name) ? name : JSON.stringify(name));
const unionOf = (types) => [...new Set(types)].join(' | ');

/**
 * The type of a schema; `meet` is told which named ones it refers to.
 * @returns {string}
 */
function typeOf(schema, meet) {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice(SCHEMAS.length);
    meet(name);
    return `Schemas[${JSON.stringify(name)}]`.replace(/\["(\w+)"\]/, "['$1']");
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return unionOf(schema.enum.map((value) => JSON.stringify(value)));
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return unionOf(choices.map((one) => typeOf(one, meet)));
  if (schema.allOf !== undefined) return schema.allOf.map((one) => typeOf(one, meet)).join(' & ');
  const types = [schema.type].flat();
  return unionOf(types.map((type) => plainType(type, schema, meet)));
}

function plainType(type, schema, meet) {
  if (type === 'integer') return 'number';
  if (type === 'array') return `readonly (${typeOf(schema.items ?? {}, meet)})[]`;
  if (type === 'object') return objectOf(schema, meet);
  if (type === 'string' && schema.format === 'binary') return 'Blob';
  return type ?? 'unknown';
}

function objectOf({ properties = {}, required = [], additionalProperties }, meet) {
  const members = Object.entries(properties).map(
    ([name, one]) => `readonly ${member(name)}${required.includes(name) ? '' : '?'}: ${typeOf(one, meet)}`,
  );
  if (typeof additionalProperties === 'object')
    members.push(`readonly [name: string]: ${members.length > 0 ? 'unknown' : typeOf(additionalProperties, meet)}`);
  return members.length === 0 ? '{ readonly [name: string]: unknown }' : `{ ${members.join('; ')} }`;
}

/** What one operation takes, by name. */
function givenTo(document, method, { parameters = [], requestBody }, meet) {
  const resolved = parameters.map((one) =>
    one.$ref === undefined ? one : document.components.parameters[one.$ref.split('/').at(-1)],
  );
  const inPath = resolved.filter((one) => one.in === 'path').map((one) => ({ ...one, required: true }));
  const inQuery = METHODS_WITH_BODY.has(method) ? [] : resolved.filter((one) => one.in === 'query');
  const content = requestBody?.content ?? {};
  const body = (content['application/json'] ?? content['multipart/form-data'])?.schema;
  const { properties = {}, required = [] } =
    body?.$ref === undefined ? (body ?? {}) : document.components.schemas[body.$ref.slice(SCHEMAS.length)];
  const inBody = Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    required: required.includes(name),
  }));
  const named = new Map([...inBody, ...inQuery, ...inPath].map((one) => [one.name, one]));
  const members = [...named.values()]
    .filter(({ name }) => !NOT_GIVEN.has(name))
    .map((one) =>
      one.required
        ? `readonly ${member(one.name)}: ${typeOf(one.schema, meet)}`
        : `readonly ${member(one.name)}?: ${unionOf([typeOf(one.schema, meet), 'undefined'])}`,
    );
  return members.length === 0 ? 'Record<never, never>' : `{ ${members.join('; ')} }`;
}

function answerOf({ responses }, meet) {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const types = successes.map(([, { content = {} }]) => {
    const schema = content['application/json']?.schema;
    if (schema !== undefined) return typeOf(schema, meet);
    return Object.keys(content).length === 0 ? 'null' : 'string';
  });
  return unionOf(types);
}

/**
 * The two files, for a document as `/doc` answers it.
 * @returns {{ readonly types: string, readonly operations: string }}
 */
export function clientOf(document) {
  const all = Object.entries(document.paths).flatMap(([place, item]) =>
    Object.entries(item).map(([method, operation]) => ({ place, method, operation })),
  );
  const wanted = new Set();
  const meet = (name) => wanted.add(name);
  const operations = all.map(({ method, operation }) => {
    const given = givenTo(document, method, operation, meet);
    const answer = answerOf(operation, meet);
    const conflicts = method !== 'get' && ('409' in operation.responses || '412' in operation.responses);
    return `  /** ${operation.summary} */\n  ${operation.operationId}: { given: ${given}; answer: ${answer}; conflicts: ${conflicts} };\n`;
  });
  const schemas = [];
  // Those that are met on the way are added, and come later.
  for (const name of wanted) schemas.push(`  ${member(name)}: ${typeOf(document.components.schemas[name], meet)};\n`);
  const codes = Object.values(document.components.schemas)
    .flatMap(({ properties }) => properties?.code?.const ?? properties?.code?.enum ?? [])
    .filter((code) => typeof code === 'string');
  const types = [
    HEAD,
    `export interface Operations {\n${operations.join('')}}\n`,
    `export interface Schemas {\n${schemas.sort().join('')}}\n`,
    `export type ErrorCode =\n${[...new Set(codes)].map((code) => `  | ${JSON.stringify(code)}\n`).join('')}  ;\n`,
  ].join('\n');
  const places = all.map(
    ({ place, method, operation }) => `  ${operation.operationId}: '${method.toUpperCase()} ${place}',\n`,
  );
  return { types, operations: `${HEAD}export const OPERATIONS = {\n${places.join('')}};\n` };
}

if (process.argv[1] === import.meta.filename) {
  const { startTestService } = await import('../test/support/service.ts');
  const service = await startTestService();
  const { body, text } = await service.get('/doc');
  await service.close();
  const { types, operations } = clientOf(body);
  writeFileSync(path.join(FOLDER, 'types.d.ts'), types);
  writeFileSync(path.join(FOLDER, 'operations.js'), operations);
  const [file] = process.argv.slice(2);
  if (file !== undefined) writeFileSync(file, text);
}
