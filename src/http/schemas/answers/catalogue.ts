// What the index and this document themselves look like.
import Type from 'typebox';
import { address, anything, eitherOf, emptyList, flag, listOf, mapOf, object, optional, text } from './members.ts';

const link = object('A link.', { href: address('Where it leads.') });

const argument = object('A parameter.', {
  required: flag('Whether it must be sent.'),
  ...optional({
    default: anything('What stands for it when it is not sent.'),
    type: text('Type of the value.'),
    format: text('Format of the value.'),
    items: anything('Type of the members of a list.'),
    description: text('What it is for.'),
  }),
});

export const routeDescription = object('A route of the index.', {
  namespace: text('Namespace of the API.'),
  methods: listOf(text('A method.'), 'All methods of the route.'),
  endpoints: listOf(
    object('Methods that take the same parameters.', {
      methods: listOf(text('A method.'), 'The methods.'),
      args: eitherOf('The parameters by name; an empty list when there are none.', [
        mapOf(argument, 'The parameters by name.'),
        emptyList('No parameters.'),
      ]),
    }),
    'What can be done here.',
  ),
  ...optional({ _links: object('Links.', { self: listOf(link, 'The route itself.') }) }),
});

export const index = object('Every route with its methods and parameters.', {
  namespace: text('Namespace of the API.'),
  routes: mapOf(Type.Ref('RouteDescription'), 'The routes by their patterns.'),
  _links: object('Links.', { up: listOf(link, 'The site.') }),
});

export const openApi = object('An OpenAPI document.', {
  openapi: text('Version of OpenAPI.'),
  info: mapOf(anything('Any value.'), 'What the document is about.'),
  components: mapOf(anything('Any value.'), 'Schemas, parameters and headers that operations share.'),
  servers: listOf(mapOf(anything('Any value.'), 'A server.'), 'Where the API lies.'),
  paths: mapOf(anything('Any value.'), 'The paths with their operations.'),
  tags: listOf(mapOf(anything('Any value.'), 'A group.'), 'Groups of operations.'),
});
