// Which route a path names. Case, trailing, repeated slashes and leading zeros of ids do not matter.

import { type CheckPlan, planChecks } from './parameters/check.ts';
import { decodePercent } from './parameters/query-string.ts';
import type { Endpoint, Method, Route } from './route.ts';

export interface PlannedEndpoint {
  readonly endpoint: Endpoint;
  readonly plan: CheckPlan;
}

export interface PlannedRoute {
  readonly route: Route;
  readonly endpoints: ReadonlyMap<string, PlannedEndpoint>;
}

export interface RouteMatch {
  readonly planned: PlannedRoute;
  /** The prefix that the path used, as configured. */
  readonly prefix: string;
  readonly id: number | undefined;
  readonly slug: string | undefined;
  /** Only where the path has one. */
  readonly credential?: number;
}

/** Answers null where nothing lies. `path` comes without the query. */
export type MatchPath = (path: string) => RouteMatch | null;

interface Node {
  readonly children: Map<string, Node>;
  id?: Node;
  /** Below ids with an ending (`41.ics`), by the ending in lower case. */
  readonly idWith: Map<string, Node>;
  slug?: Node;
  credential?: Node;
  leaf?: { readonly planned: PlannedRoute; readonly prefix: string };
}

const newNode = (): Node => ({ children: new Map(), idWith: new Map() });

/** In a text it is dropped. In a path it would make two names of one thing. */
const NUL = '%00';

const DIGITS = /^\d+$/;
const ID_WITH_ENDING = /^\{id\}(\.[a-z]+)$/;
const DIGITS_WITH_ENDING = /^(\d+)(\.[a-z]+)$/i;
const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '');

/** Lays the routes out under every prefix. Throws when two routes have the same path. */
export function createRouter(routes: readonly Route[], prefixes: readonly string[]): MatchPath {
  const root = newNode();
  const planned = routes.map(planRoute);
  for (const prefix of prefixes) for (const route of planned) addRoute(root, prefix, route);
  return (path) => (path.includes(NUL) ? null : find(root, path));
}

function planRoute(route: Route): PlannedRoute {
  const endpoints = new Map<Method, PlannedEndpoint>();
  for (const endpoint of route.endpoints) {
    const planned = { endpoint, plan: planChecks(endpoint) };
    for (const method of endpoint.methods) endpoints.set(method, planned);
  }
  return { route, endpoints };
}

function addRoute(root: Node, prefix: string, planned: PlannedRoute): void {
  let node = root;
  for (const segment of segmentsOf(`${prefix}${planned.route.path}`)) node = childFor(node, segment);
  if (node.leaf !== undefined) throw new Error(`two routes share the path ${prefix}${planned.route.path}`);
  node.leaf = { planned, prefix };
}

function childFor(node: Node, segment: string): Node {
  if (segment === '{id}') {
    node.id ??= newNode();
    return node.id;
  }
  if (segment === '{slug}') {
    node.slug ??= newNode();
    return node.slug;
  }
  if (segment === '{credential}') {
    node.credential ??= newNode();
    return node.credential;
  }
  const ending = ID_WITH_ENDING.exec(segment)?.[1];
  return ending === undefined ? named(node.children, segment.toLowerCase()) : named(node.idWith, ending);
}

function named(nodes: Map<string, Node>, name: string): Node {
  const node = nodes.get(name) ?? newNode();
  nodes.set(name, node);
  return node;
}

function find(root: Node, path: string): RouteMatch | null {
  const decode = path.includes('%') ? decodePercent : asItStands;
  let node = root;
  let id: number | undefined;
  let slug: string | undefined;
  let credential: number | undefined;
  for (const raw of path.split('/')) {
    if (raw === '') continue;
    const segment = decode(raw);
    const next = node.children.get(segment) ?? node.children.get(segment.toLowerCase());
    const ended = next === undefined ? withEnding(node, segment) : null;
    if (next !== undefined) {
      node = next;
    } else if (ended !== null) {
      id = ended.id;
      node = ended.node;
    } else if (node.id !== undefined && DIGITS.test(segment)) {
      id = idOf(segment);
      node = node.id;
    } else if (node.credential !== undefined && DIGITS.test(segment)) {
      credential = idOf(segment);
      node = node.credential;
    } else if (node.slug !== undefined) {
      slug = segment;
      node = node.slug;
    } else {
      return null;
    }
  }
  const { leaf } = node;
  if (leaf === undefined) return null;
  const { planned, prefix } = leaf;
  return credential === undefined ? { planned, prefix, id, slug } : { planned, prefix, id, slug, credential };
}

const idOf = (digits: string): number => Math.min(Number(digits), Number.MAX_SAFE_INTEGER);

function withEnding({ idWith }: Node, segment: string): { readonly id: number; readonly node: Node } | null {
  if (idWith.size === 0) return null;
  const [, digits = '', ending = ''] = DIGITS_WITH_ENDING.exec(segment) ?? [];
  const node = idWith.get(ending.toLowerCase());
  return node === undefined ? null : { id: idOf(digits), node };
}

const asItStands = (text: string): string => text;
