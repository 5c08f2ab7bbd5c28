// Single operations as the document has them: rights, errors, parameters, schemas.
import Type, { type TObject } from 'typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openDocuments } from '../../../../src/http/openapi/document-texts.ts';
import {
  bodyOf,
  type Described,
  type DocumentedAnswer,
  documented,
  FOR_ALL,
  onPosts,
  type Right,
  toManage,
} from '../../../../src/http/openapi/documentation.ts';
import { integer, optional, text } from '../../../../src/http/schemas/primitives.ts';
import { configuredLanguage, LANGUAGE_CODES } from '../../../../src/locales/languages.ts';
import type { Body } from '../../../support/service.ts';
import { echo, type FakeEndpoint, shellOf } from '../shell.ts';

const test = suite('operations of the document');

interface Declared extends Partial<Described> {
  readonly method?: 'GET' | 'POST';
  readonly path?: string;
  readonly parameters?: TObject;
  readonly answer?: DocumentedAnswer;
}

const CHANGED: DocumentedAnswer = { description: 'answer.changed', carries: ['ETag'] };

/** The document of a service with this one route beside those of each service. */
async function documentOf({
  method = 'POST',
  path = '/things',
  parameters = Type.Object({}),
  answer,
  ...described
}: Declared) {
  const documentation = documented(
    { group: 'Events', summary: 'event.update', right: FOR_ALL, ...described },
    { 200: answer ?? { ...CHANGED, ...bodyOf(Type.Ref('Event')) } },
  );
  const endpoint: FakeEndpoint = { methods: [method], parameters, documentation, handle: echo };
  const { app } = shellOf([{ path, allow: () => [], endpoints: [endpoint] }]);
  const document: Body = (await app.inject('/calendar/events/v1/doc')).json();
  await app.close();
  return document;
}

async function operation(declared: Declared): Promise<Body> {
  const { method = 'POST', path = '/things' } = declared;
  return (await documentOf(declared)).paths[path][method.toLowerCase()];
}

test('a right that is given to another role shows in the document', async () => {
  const forEditors = await operation({ right: { of: 'endpoint', may: (caller) => caller?.role === 'editor' } });
  assert.equal(forEditors['x-daybook-roles'], ['editor']);
  const forMore = await operation({
    right: { of: 'endpoint', may: (caller) => caller !== null && caller.role !== 'author' },
  });
  assert.equal(forMore['x-daybook-roles'], ['subscriber', 'contributor', 'editor', 'administrator']);
  assert.equal((await operation({}))['x-daybook-roles'].includes('anonymous'), true);
});

test('rights on posts are listed post by post, according to the table of rights', async () => {
  const updating = await operation({ right: onPosts('update', 'event') });
  assert.equal(updating['x-daybook-posts'], {
    contributor: ['own_draft'],
    author: ['own_draft', 'own_published'],
    editor: ['own_draft', 'own_published', 'others_draft', 'others_published'],
    administrator: ['own_draft', 'own_published', 'others_draft', 'others_published'],
  });
  const reading = await operation({ right: onPosts('read', 'event') });
  assert.equal(reading['x-daybook-posts'].anonymous, ['others_published']);
  const managing = async (kind: 'category' | 'tag') => (await operation({ right: toManage(kind) }))['x-daybook-roles'];
  assert.equal(await managing('category'), ['author', 'editor', 'administrator']);
  assert.equal(await managing('tag'), ['editor', 'administrator']);
});

test('rights on users are listed user by user', async () => {
  const right: Right = { of: 'users', may: (caller, user) => caller?.id === user };
  assert.equal((await operation({ right }))['x-daybook-users'].author, ['own']);
});

test('a missing right is 401, and 403 where a caller who is signed in may lack it', async () => {
  const refusals = async (right: Right): Promise<string[]> =>
    Object.entries<Body>((await operation({ right, errors: ['rest_forbidden'] })).responses)
      .filter(([, { $ref }]) => $ref?.endsWith('.rest_forbidden'))
      .map(([status]) => status);
  assert.equal(await refusals(toManage('tag')), ['401', '403']);
  assert.equal(await refusals({ of: 'endpoint', may: (caller) => caller !== null }), ['401']);
  assert.equal(await refusals(FOR_ALL), ['401', '403']);
});

test('only what must be sent beside the path can be missing', async () => {
  const missing = async (parameters: TObject, path = '/things'): Promise<boolean> =>
    JSON.stringify((await operation({ parameters, path })).responses).includes('rest_missing_callback_param');
  assert.is(await missing(Type.Object({ name: text('venue.venue', 'anything') })), true);
  assert.is(await missing(Type.Object(optional({ name: text('venue.venue', 'anything') }))), false);
  assert.is(await missing(Type.Object({ id: integer('venue.id', 'anything') }), '/things/{id}'), false);
});

test('schemas come out as OpenAPI knows them', async () => {
  const schema = Type.Object({
    shown: Type.Union([Type.Boolean({ description: 'Shown.' }), Type.Null()]),
    image: Type.Union([Type.Ref('Image'), Type.Unsafe({ type: 'boolean', enum: [false] })], {
      description: 'Picture.',
    }),
    more: Type.Optional(Type.Object({}, { additionalProperties: Type.Integer({ description: 'Number.' }) })),
  });
  const { responses } = await operation({ answer: { ...CHANGED, ...bodyOf(schema) } });
  assert.equal(responses[200].content['application/json'].schema, {
    type: 'object',
    required: ['shown', 'image'],
    properties: {
      shown: { anyOf: [{ type: 'boolean', description: 'Shown.' }, { type: 'null' }] },
      image: {
        description: 'Picture.',
        anyOf: [{ $ref: '#/components/schemas/Image' }, { type: 'boolean', enum: [false] }],
      },
      more: {
        type: 'object',
        properties: {},
        additionalProperties: { type: 'integer', description: 'Number.' },
      },
    },
  });
});

test('an answer without a body has none in the document', async () => {
  const { responses } = await operation({ answer: { ...CHANGED, type: 'null' } });
  assert.is('content' in responses[200], false);
});

test('a default is of the declared type, however it is declared', async () => {
  const parameters = Type.Object({
    hide: Type.Boolean({ description: 'Hide.', default: '1' }),
    none: Type.String({ description: 'None.', default: null }),
  });
  const [hide, none]: Body[] = (await operation({ method: 'GET', parameters })).parameters;
  assert.equal(hide.schema, { type: 'boolean', default: true });
  assert.equal(none.schema, { type: 'string' });
});

test('only groups with operations are listed', async () => {
  assert.equal((await documentOf({})).tags, [{ name: 'API' }, { name: 'Events' }]);
});

test('the document is made once, and put into words for each language', async () => {
  let made = 0;
  const { documentFor } = openDocuments(async () => {
    made += 1;
    return {
      servers: [{ url: 'https://root.invalid' }, { url: 'https://site.invalid/a' }, { url: 'https://site.invalid/b' }],
      paths: { summary: 'event.update', description: '`rest_forbidden`: {rest_forbidden}' },
      example: { description: 'Say "no" to {nothing}' },
    };
  });
  for (const language of LANGUAGE_CODES.map((code) => configuredLanguage({ language: code }))) {
    const [site, root] = ['http://cal.example/"odd"', 'http://cal.example/"odd"/v1'];
    assert.equal(JSON.parse((await documentFor({ language, root, site })).text.toString()), {
      servers: [{ url: root }, { url: `${site}/a` }, { url: `${site}/b` }],
      paths: {
        summary: language.describe('event.update'),
        description: `\`rest_forbidden\`: ${language.errors.rest_forbidden}`,
      },
      example: { description: 'Say "no" to {nothing}' },
    });
  }
  assert.is(made, 1);
});

test('an application that listens makes the document before it is asked for it', async () => {
  let reads = 0;
  const documentation = {
    ...documented({ group: 'API', summary: 'event.update', right: FOR_ALL }, {}),
    get description() {
      reads += 1;
      return 'event.update' as const;
    },
  };
  const endpoint: FakeEndpoint = { methods: ['GET'], parameters: Type.Object({}), documentation, handle: echo };
  const { app } = shellOf([{ path: '/things', allow: () => [], endpoints: [endpoint] }]);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const readsAtStart = reads;
  assert.ok(readsAtStart > 0);
  assert.is((await app.inject('/calendar/events/v1/doc')).statusCode, 200);
  assert.is(reads, readsAtStart);
  await app.close();
});

test.run();
