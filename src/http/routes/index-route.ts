// The namespace index: all routes with their methods and parameters. OPTIONS answers the same per route.

import type { FastifyRequest } from 'fastify';
import { WINDOW_END, WINDOW_START } from '../../calendar/event/http/event-schema.ts';
import { present } from '../../domain/present.ts';
import { civilFromSeconds, daysInMonth, formatCivil, SECONDS_PER_DAY } from '../../kernel/time/civil-time.ts';
import type { EpochSeconds, Zone } from '../../kernel/time/zone.ts';
import type { Language } from '../../locales/language.ts';
import { ApiError } from '../errors.ts';
import { bodyOf, documented, FOR_ALL } from '../openapi/documentation.ts';
import { type ListedEndpoint, type ListedRoute, type ParameterTable, READ_ONLY, type Routes } from '../route.ts';
import { type Parameter, parametersOf, wireSchema } from '../schemas/keywords.ts';
import { anything, optional } from '../schemas/primitives.ts';
import Type from '../schemas/type.ts';

export interface IndexSettings {
  /** The namespace, which is also the main prefix. */
  readonly namespace: string;
  readonly siteZone: Zone;
}

type Members = { readonly [name: string]: unknown };

/** Placeholders in the tables for defaults that depend on the clock. */
type ClockDefaults = ReadonlyMap<unknown, string>;

export const indexRoute: Routes<IndexSettings> = async (api, settings) => {
  const { namespace } = settings;
  api.get(
    '',
    {
      schema: {
        ...documented(
          { group: 'API', summary: 'index.summary', right: FOR_ALL, errors: ['rest_invalid_namespace'] },
          { 200: { description: 'answer.read', ...bodyOf(Type.Ref('Index')), carries: [] } },
        ),
        querystring: Type.Object(
          optional({
            namespace: anything('index.namespace', 'anything', { default: namespace }),
            context: anything('index.context', 'anything', { default: 'view' }),
          }),
        ),
      },
      config: READ_ONLY,
    },
    (request, reply) => {
      const { links } = request;
      const candidate = request.query.namespace ?? namespace;
      const isKnown =
        typeof candidate === 'string' && (candidate === namespace || links.root.endsWith(`/${candidate}`));
      if (!isKnown) throw new ApiError('rest_invalid_namespace');
      const routes = [...api.listedRoutes.values()].map((route) => [
        `/${namespace}${pattern(route)}`,
        describeRoute(route, settings, request),
      ]);
      return reply.inLanguage(request.language).send({
        namespace,
        routes: Object.fromEntries(routes),
        _links: { up: [{ href: `${links.site}/` }] },
      });
    },
  );
};

const pattern = ({ path }: ListedRoute): string =>
  path
    .replace('{id}', '(?P<id>\\d+)')
    .replace('{slug}', '(?P<slug>[^/]+)')
    .replace('{credential}', '(?P<credential>\\d+)');

/** For whom something is described, and when. */
type Listener = Pick<FastifyRequest, 'links' | 'now' | 'language'>;

/** One route of the index; also the body of its OPTIONS answer. Only descriptions depend on the language. */
export function describeRoute(
  route: ListedRoute,
  settings: IndexSettings,
  { links, now, language }: Listener,
): Members {
  const defaults = clockDefaults(now, settings.siteZone);
  return {
    namespace: settings.namespace,
    methods: [...new Set(route.endpoints.flatMap(({ methods }) => methods))],
    endpoints: route.endpoints.map((endpoint) => describeEndpoint(endpoint, defaults, language)),
    ...(!route.path.includes('{') && { _links: { self: [{ href: `${links.root}${route.path}` }] } }),
  };
}

function describeEndpoint(
  { methods, parameters }: ListedEndpoint,
  defaults: ClockDefaults,
  language: Language,
): Members {
  const args = describeTable(parameters, defaults, language);
  return { methods, args: Object.keys(args).length === 0 ? [] : args };
}

function describeTable(table: ParameterTable, defaults: ClockDefaults, language: Language): Members {
  const fields = parametersOf(table).filter(([, schema]) => wireSchema(schema).hidden === undefined);
  return Object.fromEntries(fields.map((field) => [field[0], describeParameter(field, defaults, language)]));
}

/** `required` always, the rest if it is declared. */
function describeParameter([, schema, isRequired]: Parameter, defaults: ClockDefaults, language: Language): Members {
  const { type, format, items, description, ...rest } = wireSchema(schema);
  return {
    required: isRequired,
    ...('default' in rest && { default: defaults.get(rest.default) ?? rest.default }),
    ...present({ type, format, items, description: description && language.describe(description) }),
  };
}

const WINDOW_YEARS = 2;

/** The window of `GET /events`, in site time. */
function clockDefaults(now: EpochSeconds, zone: Zone): ClockDefaults {
  const local = now + zone.offsetAt(now);
  const today = local - (((local % SECONDS_PER_DAY) + SECONDS_PER_DAY) % SECONDS_PER_DAY);
  return new Map([
    [WINDOW_START, formatCivil(today - 60)],
    [WINDOW_END, yearsLater(local)],
  ]);
}

/** The same day and time some years later; 29 February becomes 1 March in other years. */
function yearsLater(local: number): string {
  const year = civilFromSeconds(local).year + WINDOW_YEARS;
  const [, dayAndTime = ''] = /^\d+-(.*)$/.exec(formatCivil(local)) ?? [];
  const existing = daysInMonth(year, 2) === 29 ? dayAndTime : dayAndTime.replace(/^02-29/, '03-01');
  return `${String(year).padStart(4, '0')}-${existing}`;
}
