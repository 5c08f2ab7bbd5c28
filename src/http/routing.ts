// Which route a path names. Case, trailing, repeated slashes and leading zeros of ids do not matter.
import type { Endpoint, Method, Route } from './api.ts';
import { type CheckPlan, planChecks } from './parameters/check.ts';
import { decodePercent } from './parameters/notations.ts';

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
}

/** Answers null where nothing lies. `path` comes without the query. */
export type MatchPath = (path: string) => RouteMatch | null;

interface Node {
  readonly children: Map<string, Node>;
  id?: Node;
  slug?: Node;
  leaf?: { readonly planned: PlannedRoute; readonly prefix: string };
}

const newNode = (): Node => ({ children: new Map() });

const DIGITS = /^\d+$/;
const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '');

/** Lays the routes out under every prefix. Throws when two routes have the same path. */
export function createRouter(routes: readonly Route[], prefixes: readonly string[]): MatchPath {
  const root = newNode();
  const planned = routes.map(planRoute);
  for (const prefix of prefixes) for (const route of planned) addRoute(root, prefix, route);
  return (path) => find(root, path);
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
  const name = segment.toLowerCase();
  const child = node.children.get(name) ?? newNode();
  node.children.set(name, child);
  return child;
}

function find(root: Node, path: string): RouteMatch | null {
  const decode = path.includes('%') ? decodePercent : asItStands;
  let node = root;
  let id: number | undefined;
  let slug: string | undefined;
  for (const raw of path.split('/')) {
    if (raw === '') continue;
    const segment = decode(raw);
    const next = node.children.get(segment) ?? node.children.get(segment.toLowerCase());
    if (next !== undefined) {
      node = next;
    } else if (node.id !== undefined && DIGITS.test(segment)) {
      id = Math.min(Number(segment), Number.MAX_SAFE_INTEGER);
      node = node.id;
    } else if (node.slug !== undefined) {
      slug = segment;
      node = node.slug;
    } else {
      return null;
    }
  }
  const { leaf } = node;
  return leaf === undefined ? null : { planned: leaf.planned, prefix: leaf.prefix, id, slug };
}

const asItStands = (text: string): string => text;
