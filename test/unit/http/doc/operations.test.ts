// Single endpoints as the document tells them: rights, errors, schemas.
import Type from 'typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openApiDocument } from '../../../../src/http/openapi/document.ts';
import { type Documentation, FOR_ALL, JSON_TYPE } from '../../../../src/http/openapi/documentation/documentation.ts';
import { onPosts, toManage } from '../../../../src/http/openapi/documentation/rights.ts';
import { operationOf } from '../../../../src/http/openapi/operations.ts';
import { openApiSchema } from '../../../../src/http/openapi/schemas.ts';
import type { Endpoint } from '../../../../src/http/route.ts';
import { integer, optional, text } from '../../../../src/http/schemas/primitives.ts';
import { ENGLISH } from '../../../../src/locales/languages.ts';
import type { Body } from '../../../support/service.ts';
import { echo } from '../shell.ts';

const test = suite('operations of the document');
const PLACE = { path: '/things', method: 'POST' } as const;

const documentation = (changes: Partial<Documentation> = {}): Documentation => ({
  group: 'Events',
  summary: 'event.update',
  right: FOR_ALL,
  answers: [
    { status: 200, description: 'answer.changed', bodies: { [JSON_TYPE]: Type.Ref('Event') }, headers: ['ETag'] },
  ],
  errors: [],
  takes: [],
  ...changes,
});

const endpoint = (changes: Partial<Endpoint> = {}): Endpoint => ({
  methods: ['POST'],
  parameters: Type.Object({}),
  documentation: documentation(),
  handle: echo,
  ...changes,
});

const operation = (changes: Partial<Documentation>): Body =>
  operationOf(endpoint({ documentation: documentation(changes) }), PLACE, ENGLISH);

test('a right that is given to another role shows in the document', () => {
  const forEditors = operation({ right: { of: 'endpoint', may: (caller) => caller?.role === 'editor' } });
  assert.equal(forEditors['x-daybook-roles'], ['editor']);
  const forMore = operation({
    right: { of: 'endpoint', may: (caller) => caller !== null && caller.role !== 'author' },
  });
  assert.equal(forMore['x-daybook-roles'], ['subscriber', 'contributor', 'editor', 'administrator']);
  assert.equal(operation({ right: FOR_ALL })['x-daybook-roles'].includes('anonymous'), true);
});

test('rights on posts are told post by post, as the table of rights has them', () => {
  const updating = operation({ right: onPosts('update', 'event') });
  assert.equal(updating['x-daybook-posts'], {
    contributor: ['own_draft'],
    author: ['own_draft', 'own_published'],
    editor: ['own_draft', 'own_published', 'others_draft', 'others_published'],
    administrator: ['own_draft', 'own_published', 'others_draft', 'others_published'],
  });
  assert.equal(operation({ right: onPosts('read', 'event') })['x-daybook-posts'].anonymous, ['others_published']);
  assert.equal(operation({ right: toManage('category') })['x-daybook-roles'], ['author', 'editor', 'administrator']);
  assert.equal(operation({ right: toManage('tag') })['x-daybook-roles'], ['editor', 'administrator']);
});

test('rights on users are told user by user', () => {
  const right = { of: 'users', may: (caller: Body, user: number) => caller?.id === user } as const;
  assert.equal(operation({ right })['x-daybook-users'].author, ['own']);
});

test('a missing right is 401, and 403 where somebody who is signed in may lack it', () => {
  const refusals = (right: Documentation['right']): string[] =>
    Object.entries<Body>(operation({ right, errors: ['rest_forbidden'] }).responses)
      .filter(([, { $ref }]) => $ref?.endsWith('.rest_forbidden'))
      .map(([status]) => status);
  assert.equal(refusals(toManage('tag')), ['401', '403']);
  assert.equal(refusals({ of: 'endpoint', may: (caller) => caller !== null }), ['401']);
  assert.equal(refusals(FOR_ALL), ['401', '403']);
});

test('only what must be sent beside the path can be missing', () => {
  const missing = (parameters: Endpoint['parameters'], path = '/things'): boolean =>
    JSON.stringify(operationOf(endpoint({ parameters }), { path, method: 'POST' }, ENGLISH).responses).includes(
      'rest_missing_callback_param',
    );
  assert.is(missing(Type.Object({ name: text('venue.venue', 'anything') })), true);
  assert.is(missing(Type.Object(optional({ name: text('venue.venue', 'anything') }))), false);
  assert.is(missing(Type.Object({ id: integer('venue.id', 'anything') }), '/things/{id}'), false);
});

test('schemas come out as OpenAPI 3.0 knows them', () => {
  const schema = Type.Object({
    shown: Type.Union([Type.Boolean({ description: 'Shown.' }), Type.Null()]),
    image: Type.Union([Type.Ref('Image'), Type.Literal(false)], { description: 'Picture.' }),
    named: Type.Ref('Venue', { description: 'Where.' }),
    more: Type.Optional(Type.Object({}, { additionalProperties: Type.Integer({ description: 'Number.' }) })),
  });
  assert.equal(
    openApiSchema(schema, (key) => key.toUpperCase()),
    {
      type: 'object',
      required: ['shown', 'image', 'named'],
      properties: {
        shown: { type: 'boolean', description: 'SHOWN.', nullable: true },
        image: {
          description: 'PICTURE.',
          anyOf: [{ $ref: '#/components/schemas/Image' }, { type: 'boolean', enum: [false] }],
        },
        named: { description: 'WHERE.', allOf: [{ $ref: '#/components/schemas/Venue' }] },
        more: { type: 'object', additionalProperties: { type: 'integer', description: 'NUMBER.' } },
      },
    },
  );
});

test('a default is of the declared type, however it is declared', () => {
  const parameters = Type.Object({
    hide: Type.Boolean({ description: 'Hide.', default: '1' }),
    none: Type.String({ description: 'None.', default: null }),
  });
  const place = { path: '/things', method: 'GET' } as const;
  const [hide, none]: Body[] = operationOf(endpoint({ parameters }), place, ENGLISH).parameters as Body[];
  assert.equal(hide.schema, { type: 'boolean', default: true });
  assert.equal(none.schema, { type: 'string' });
});

test('only groups that have operations are told', async () => {
  const routes = [{ path: '/things', allow: () => [], endpoints: [endpoint()] }];
  const { tags } = await openApiDocument(routes, { words: ENGLISH, root: 'http://cal.example/api' });
  assert.equal(tags, [{ name: 'Events' }]);
});

test('while a document is made others have their turn', async () => {
  const routes = Array.from({ length: 4 }, (_, index) => ({
    path: `/things-${index}`,
    allow: () => [],
    endpoints: [endpoint()],
  }));
  let turns = 0;
  const count = (): void => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const turnsAt = new Set<number>();
  const describe = (text: string): string => {
    turnsAt.add(turns);
    for (const until = performance.now() + 5; performance.now() < until; );
    return text;
  };
  await openApiDocument(routes, { words: { ...ENGLISH, describe }, root: 'http://cal.example/api' });
  clearImmediate(next);
  assert.ok(turnsAt.size >= routes.length, `${turnsAt.size} turns`);
});

test.run();
