// The OpenAPI document, made from the routes and their schemas.
import { openTurns } from '../../queries/time-slices.ts';
import type { Route } from '../route.ts';
import { componentsOf } from './components.ts';
import { GROUPS } from './documentation/documentation.ts';
import { type Operation, operationOf } from './operations.ts';
import type { Members, Words } from './wording.ts';

const TITLE = 'Daybook';

export interface DocumentSettings {
  readonly words: Words;
  /** Of the API, without a slash at its end. */
  readonly root: string;
}

/** `routes` in the order of the index. Others have their turn between two of them. */
export async function openApiDocument(routes: readonly Route[], { words, root }: DocumentSettings): Promise<Members> {
  const turn = openTurns();
  const operations = routes.flatMap(operationsOf);
  const groups = new Set(operations.map(({ endpoint }) => endpoint.documentation.group));
  const components = componentsOf(operations, words);
  const paths: { [path: string]: Members } = {};
  for (const route of routes) {
    await turn();
    paths[pathOf(route)] = pathItem(route, words);
  }
  return {
    openapi: '3.0.0',
    info: { version: '1.0.0', title: TITLE, description: words.describe('document.description') },
    components,
    servers: [{ url: root }],
    paths,
    tags: GROUPS.filter((group) => groups.has(group)).map((name) => ({ name })),
  };
}

const pathOf = ({ path }: Route): string => (path === '' ? '/' : path);

const operationsOf = ({ path, endpoints }: Route): Operation[] =>
  endpoints.flatMap((endpoint) => endpoint.methods.map((method) => ({ endpoint, place: { path, method } })));

const pathItem = (route: Route, words: Words): Members =>
  Object.fromEntries(
    operationsOf(route).map(({ endpoint, place }) => [place.method.toLowerCase(), operationOf(endpoint, place, words)]),
  );
