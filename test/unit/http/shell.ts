// A shell around fake routes, for the tests of the HTTP side.
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Image } from '../../../src/calendar/resource/domain/image.ts';
import type { PostDocument } from '../../../src/calendar/resource/queries/find-by-slug.ts';
import type { Pieces } from '../../../src/http/answers/reply.ts';
import { type Documentation, documented, FOR_ALL } from '../../../src/http/openapi/documentation.ts';
import type { Lookups } from '../../../src/http/parameters/lookups.ts';
import type { ValidationContext } from '../../../src/http/parameters/validator.ts';
import { ID, SLUG } from '../../../src/http/plugins/routing.ts';
import type { Allow, Method, ParameterTable } from '../../../src/http/route.ts';
import { type AppDependencies, buildApp } from '../../../src/http/server.ts';
import { DEFAULT_SETTINGS, type ShellSettings } from '../../../src/http/settings.ts';
import { resolveZone, type Zone } from '../../../src/kernel/time/zone.ts';
import type { Authenticate, Caller } from '../../../src/people/auth/caller.ts';

/** 2026-06-15T13:00:00Z */
export const NOW = 1_781_528_400;

export function zone(text: string): Zone {
  const found = resolveZone(text);
  if (found === null) throw new Error(`no zone ${text}`);
  return found;
}

export const EDITOR: Caller = { id: 2, login: 'editor', name: 'Editor', role: 'editor' };

/** Posts 1 to 9 are events, 11 to 19 venues (19 in the trash), 21 to 29 organizers; terms 31 (`music`) and 32; image 41; user 2. */
export const PICTURE: Image = { id: 41, url: 'https://x.y/z.png', width: null, height: null };
const TERMS = new Map([
  ['31', 31],
  ['32', 32],
  ['music', 31],
]);

const FIRST_ID = { event: 1, venue: 11, organizer: 21 };
const isIdOf = (kind: keyof typeof FIRST_ID, id: number): boolean =>
  (id >= FIRST_ID[kind] && id < FIRST_ID[kind] + 9) || (kind === 'venue' && id === 19);

export const lookups: Lookups = {
  exist: async (kind, ids) => ids.every((id) => isIdOf(kind, id)),
  // Nothing but the id is read.
  bySlug: async (kind, slug) => (slug === `known-${kind}` ? { post: { kind, id: 7 } as PostDocument } : null),
  links: async (kind, ids) => ids.map((id) => (isIdOf(kind, id) && id !== 19 ? { id, life: 0 } : null)),
  terms: async (kind, references) =>
    references.map((reference) => (kind === 'category' ? (TERMS.get(reference) ?? null) : null)),
  termIdExists: async (kind, id) => kind === 'category' && (id === 31 || id === 32),
  userExists: async (id) => id === 2,
  image: async (id) => (id === PICTURE.id ? PICTURE : null),
  picture: async (stem) => (stem === 'pier' ? PICTURE : null),
};

export const context = (changes: Partial<ValidationContext> = {}): ValidationContext => ({
  caller: null,
  now: NOW,
  siteZone: zone('UTC'),
  lookups,
  slug: undefined,
  values: {},
  ...changes,
});

const authenticate: Authenticate = async (authorization) => {
  if (authorization === 'Bearer editor') return { kind: 'caller', caller: EDITOR };
  if (authorization === 'Bearer wrong') return { kind: 'refused', code: 'incorrect_password' };
  return { kind: 'caller', caller: null };
};

export interface Shell {
  readonly app: ReturnType<typeof buildApp>;
  /** What the log was told. */
  readonly logged: object[];
}

/** What a test may put in the place of the shell's own. */
type Instead = Partial<Pick<AppDependencies, 'authenticate' | 'clock' | 'elapsed' | 'pressure' | 'gateway' | 'shared'>>;

export interface FakeAnswer {
  readonly status: number;
  readonly body: string | object;
  readonly headers?: { readonly [name: string]: string };
  /** Stands for the body. */
  readonly pieces?: Pieces;
  readonly whole?: true;
}

/** Routes of tests need not say what they are for. */
export interface FakeEndpoint {
  readonly methods: readonly Method[];
  readonly parameters: ParameterTable;
  readonly documentation?: Documentation;
  readonly authorize?: (request: FastifyRequest) => void;
  readonly handle: (request: FastifyRequest, reply: FastifyReply) => Promise<FakeAnswer>;
}

export interface FakeRoute {
  readonly path: string;
  readonly allow: Allow;
  readonly endpoints: readonly FakeEndpoint[];
}

export const UNDOCUMENTED = documented({ group: 'API', summary: 'document.summary', right: FOR_ALL }, {});

/** A plugin of these routes. */
export const pluginOf =
  (routes: readonly FakeRoute[]): FastifyPluginAsync =>
  async (api) => {
    for (const { path, allow, endpoints } of routes) {
      const url = path.replace('{id}', ID).replace('{slug}', SLUG);
      for (const { methods, parameters, documentation = UNDOCUMENTED, authorize, handle } of endpoints)
        api.route({
          method: [...methods],
          url,
          config: { allow },
          schema: { ...documentation, [methods.includes('POST') ? 'body' : 'querystring']: parameters },
          async preHandler(request) {
            authorize?.(request);
          },
          handler: async (request, reply) => send(reply, await handle(request, reply)),
        });
    }
  };

function send(reply: FastifyReply, { status, body, headers = {}, pieces, whole }: FakeAnswer): FastifyReply {
  reply.code(status).headers(headers);
  if (pieces) return reply.pieces(pieces, whole ? 'whole' : 'open end');
  return reply.send(status === 304 ? undefined : body);
}

/** The application around `routes`, with ids `request-1`, `request-2`, …. */
export function shellOf(
  routes: readonly FakeRoute[] | FastifyPluginAsync,
  settings: Partial<ShellSettings> = {},
  instead: Instead = {},
): Shell {
  const logged: object[] = [];
  let ids = 0;
  const app = buildApp({
    routes: typeof routes === 'function' ? routes : pluginOf(routes),
    authenticate,
    lookups,
    clock: { now: () => NOW },
    elapsed: () => 0,
    newId: () => {
      ids += 1;
      return `request-${ids}`;
    },
    siteZone: zone('UTC'),
    settings: { ...DEFAULT_SETTINGS, ...settings },
    log: { error: (details) => logged.push(details), warn: (details, message) => logged.push({ ...details, message }) },
    ...instead,
  });
  return { app, logged };
}

/** Answers what it was asked, as far as JSON shows it. */
export const echo = async ({ method, params, query, body, caller, links, reason }: FastifyRequest) => ({
  status: 200,
  body: {
    method,
    ...(params as object),
    given: ['POST', 'PUT', 'PATCH'].includes(method) ? body : query,
    caller: caller?.login ?? null,
    root: links.root,
    reason,
  },
});
