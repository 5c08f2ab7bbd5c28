// The schemas of the index and of this document.
import Type from 'typebox';
import { address, anything, eitherOf, emptyList, flag, listOf, mapOf, object, text } from './members.ts';
import { optional } from './primitives.ts';

const link = object('link', { href: address('link.href') });

const argument = object('route.arg', {
  required: flag('route.arg_required'),
  ...optional({
    default: anything('route.arg_default'),
    type: text('route.arg_type'),
    format: text('route.arg_format'),
    items: anything('route.arg_items'),
    description: text('route.arg_description'),
  }),
});

export const routeDescription = object('route', {
  namespace: text('index.namespace_name'),
  methods: listOf(text('route.one_method'), 'route.methods'),
  endpoints: listOf(
    object('route.endpoint', {
      methods: listOf(text('route.one_method'), 'route.endpoint_methods'),
      args: eitherOf('route.args', [mapOf(argument, 'route.args_by_name'), emptyList('route.no_args')]),
    }),
    'route.endpoints',
  ),
  ...optional({ _links: object('index.links', { self: listOf(link, 'route.self') }) }),
});

export const index = object('index', {
  namespace: text('index.namespace_name'),
  routes: mapOf(Type.Ref('RouteDescription'), 'index.routes'),
  _links: object('index.links', { up: listOf(link, 'index.site') }),
});

export const openApi = object('openapi', {
  openapi: text('openapi.openapi'),
  info: mapOf(anything('openapi.any_value'), 'openapi.info'),
  components: mapOf(anything('openapi.any_value'), 'openapi.components'),
  servers: listOf(mapOf(anything('openapi.any_value'), 'openapi.server'), 'openapi.servers'),
  paths: mapOf(anything('openapi.any_value'), 'openapi.paths'),
  tags: listOf(mapOf(anything('openapi.any_value'), 'openapi.tag'), 'openapi.tags'),
});
