// Routes that show what the transport does with them, and a way to ask them.
import Type from 'typebox';
import { eventCreate, eventList, eventRead, eventUpdateBySlug } from '../../../src/calendar/event/http/event-schema.ts';
import { organizerTables, venueTables } from '../../../src/calendar/linked-post/http/linked-post-schema.ts';
import { forbidden } from '../../../src/http/errors.ts';
import { EventStoreUnavailable } from '../../../src/log/event-store.ts';
import { ReadModelUnavailable } from '../../../src/read-model/read-model.ts';
import { echo, type FakeEndpoint, type FakeRoute, shellOf } from './shell.ts';

const ROOT = '/calendar/events/v1';

const answering = (handle: FakeEndpoint['handle'], methods: FakeEndpoint['methods'] = ['GET']): FakeEndpoint => ({
  methods,
  parameters: Type.Object({}),
  handle,
});

const ROUTES: readonly FakeRoute[] = [
  {
    path: '/events',
    endpoints: [
      { methods: ['GET'], parameters: eventList({ perPage: 12 }), handle: echo },
      {
        methods: ['POST'],
        parameters: eventCreate,
        authorize: ({ caller }) => {
          if (caller === null) throw forbidden(caller);
        },
        handle: async () => ({ status: 201, body: { id: 5 }, headers: { Location: '/events/5' } }),
      },
    ],
    allow: (caller) => (caller === null ? ['GET'] : ['GET', 'POST']),
  },
  {
    path: '/events/{id}',
    endpoints: [
      { methods: ['GET'], parameters: eventRead, handle: echo },
      { methods: ['POST', 'PUT', 'PATCH'], parameters: Type.Object({}), handle: echo },
      { methods: ['DELETE'], parameters: Type.Object({}), handle: echo },
    ],
    allow: async (caller, { id }) => (caller !== null && id === 1 ? ['GET', 'DELETE'] : ['GET']),
  },
  {
    path: '/events/by-slug/{slug}',
    endpoints: [
      { methods: ['GET'], parameters: Type.Object({}), handle: echo },
      { methods: ['POST', 'PUT', 'PATCH'], parameters: eventUpdateBySlug, handle: echo },
    ],
    allow: () => ['GET'],
  },
  {
    path: '/venues/by-slug/{slug}',
    endpoints: [{ methods: ['POST', 'PUT', 'PATCH'], parameters: venueTables.updateBySlug, handle: echo }],
    allow: () => ['GET'],
  },
  {
    path: '/organizers/by-slug/{slug}',
    endpoints: [{ methods: ['GET'], parameters: organizerTables.readBySlug, handle: echo }],
    allow: () => ['GET'],
  },
  {
    path: '/venues/{id}',
    endpoints: [{ methods: ['GET'], parameters: venueTables.read, handle: echo }],
    allow: () => ['GET'],
  },
  {
    path: '/text',
    endpoints: [
      answering(async () => ({
        status: 200,
        body: '{"id":1,  "venue":{"venue":"Hall","city":"Leeds"},"terms":[{"name":"A"}],"total":3}',
        headers: { 'X-TEC-Total': '3', 'X-TEC-TotalPages': '1', ETag: '"e"' },
      })),
    ],
    allow: () => ['GET'],
  },
  {
    path: '/unchanged',
    endpoints: [answering(async () => ({ status: 304, body: '', headers: { ETag: '"e"' } }))],
    allow: () => ['GET'],
  },
  {
    path: '/public',
    endpoints: [answering(async () => ({ status: 200, body: {}, headers: { 'Cache-Control': 'max-age=5' } }))],
    allow: () => ['GET'],
  },
  {
    path: '/broken',
    endpoints: [
      answering(async () => {
        throw new Error('secret of /var/lib');
      }),
    ],
    allow: () => Promise.reject(new Error('allow is broken too')),
  },
  {
    path: '/unserializable',
    endpoints: [answering(async () => ({ status: 200, body: { big: 1n } }))],
    allow: () => ['GET'],
  },
  {
    path: '/store-down',
    endpoints: [answering(async () => Promise.reject(new EventStoreUnavailable('10.0.0.1 refused')))],
    allow: () => ['GET'],
  },
  {
    path: '/model-down',
    endpoints: [answering(async () => Promise.reject(new ReadModelUnavailable('10.0.0.1 refused')))],
    allow: () => ['GET'],
  },
];

export const { app, logged } = shellOf(ROUTES, { prefixAliases: ['wp-json/other/v1'] });

interface Sending {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  readonly headers?: { readonly [name: string]: string };
  readonly payload?: string | object;
}

export async function send(path: string, { method = 'GET', headers = {}, payload }: Sending = {}) {
  const url = path.startsWith('/wp-json') || path.startsWith('//') || path.startsWith('/CAL') ? path : `${ROOT}${path}`;
  const answer = await app.inject({
    method,
    url,
    headers: { host: 'cal.example', ...headers },
    ...(payload !== undefined && { payload }),
  });
  return {
    status: answer.statusCode,
    headers: answer.headers,
    text: answer.body,
    json: answer.body === '' ? undefined : JSON.parse(answer.body),
  };
}

export const EDITOR_HEADERS = { authorization: 'Bearer editor' };
