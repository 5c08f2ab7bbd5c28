// Requests of every sort for every route, in parts that can be left out one by one.
import { gzipSync } from 'node:zlib';
import { type As, type Body, PREFIX } from '../support/service.ts';
import type { Choices } from './choices.ts';
import { hostileJson, hostileText, idOf, likelyJson, likelyValue, SPACES, type Words } from './values.ts';

/** Members in the notation of the body: `"name":value` or `name=value`, or whole parts of a multipart body. */
export interface FuzzBody {
  readonly as: 'json' | 'form' | 'multipart' | 'raw';
  readonly members: readonly string[];
  /** What the bytes are put through at the end. */
  readonly packed: 'plain' | 'cut' | 'gzip' | 'bom' | 'utf16';
}

export interface FuzzRequest {
  readonly as: As;
  readonly method: string;
  /** From the root, as it stands on the request line. */
  readonly path: string;
  /** Joined by `&`. */
  readonly query: readonly string[];
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: FuzzBody | null;
}

export interface FuzzEndpoint {
  /** Where it is found, without a slash at the end. */
  readonly root: string;
  /** Below that: `/events/{id}`. */
  readonly path: string;
  readonly method: string;
  readonly parameters: readonly string[];
  readonly required: readonly string[];
}

/** All that an index of the service tells of: one for each path and method. */
export function endpointsOf(index: Body, root = PREFIX): FuzzEndpoint[] {
  return Object.entries<Body>(index.routes).flatMap(([pattern, route]) => {
    const path = pattern.replace(PREFIX, '').replace(/\(\?P<(\w+)>[^)]*\)/g, '{$1}');
    return route.endpoints.flatMap(({ methods, args }: Body) =>
      methods.map((method: string) => ({
        root,
        path,
        method,
        parameters: Object.keys(args).filter((name) => !path.includes(`{${name}}`)),
        required: Object.keys(args).filter((name) => args[name].required && !path.includes(`{${name}}`)),
      })),
    );
  });
}

/** Of the routes of another interface, beside the alias `wp-json/tribe/events/v1`. */
export const SHIM_ROOT = '/wp-json';

const ROLES: readonly As[] = [
  ...(['anonymous', 'anonymous', 'subscriber', 'contributor', 'contributor', 'otherContributor'] as const),
  ...(['author', 'author', 'otherAuthor', 'editor', 'editor', 'administrator', 'administrator'] as const),
];
/** Understood by every route. */
const COMMON = ['_fields', '_envelope', '_locale', 'context', '_method', '_embed', 'password', '_reason', 'id', 'slug'];
const BOUNDARY = 'x-fuzz-boundary';

const spaceOf = (path: string) => SPACES.find((space) => path.split('/').includes(space)) ?? 'events';

export function openRequests(choose: Choices, endpoints: readonly FuzzEndpoint[], words: Words) {
  const { below, once, one, some } = choose;
  const creating = endpoints.filter(({ method, required }) => method === 'POST' && required.length > 0);

  function pathOf({ path }: FuzzEndpoint): string {
    const filled = path
      .replace('{id}', () =>
        once(40)
          ? one(['0', '99999999999999999999', '007', '1.5', '-1', 'NaN', '%31', '１'])
          : String(idOf(choose, words, spaceOf(path))),
      )
      .replace('{credential}', () => String(below(4)))
      .replace('{slug}', () => encodeURIComponent(slug()));
    if (once(120)) return filled.replace('/', '//');
    if (once(120)) return `${filled.toUpperCase()}/`;
    if (once(120))
      return filled + one(['/..', '/%2e%2e/x', '%00', '%', '%zz', '%c3%28', '%252f', ';a=b', '.json', '/%E0%80%AF']);
    return filled;
  }

  function slug(): string {
    return (once(6) ? hostileText(choose, 'slug') : one(words.names)).toWellFormed() || 'x';
  }

  function value(endpoint: FuzzEndpoint, name: string, wild: boolean): string {
    if (wild && once(3)) return hostileText(choose, name);
    return likelyValue(choose, words, meaning(endpoint, name));
  }

  /** `venue` is a name where a venue is made, and says which elsewhere. */
  const meaning = ({ path }: FuzzEndpoint, name: string): string => (path.startsWith(`/${name}s`) ? 'name' : name);

  function pair(endpoint: FuzzEndpoint, name: string, wild: boolean): string {
    const key =
      wild && once(5) ? name + one(['[]', '[0]', '[a][b]', '[', ']', '.x', '[__proto__]', '%5B%5D', '[][]']) : name;
    const text = value(endpoint, name, wild);
    if (wild && once(12)) return `${key}=${one(['%', '%zz', '%c3', '%ed%a0%80', '%00', '%25', '+', '&', '=', '#x'])}`;
    const encoded = encodeURIComponent(text.toWellFormed());
    return `${key}=${wild && once(15) ? encodeURIComponent(encoded) : encoded}`;
  }

  function common(endpoint: FuzzEndpoint): string {
    const name = one(COMMON);
    switch (name) {
      case '_fields':
        return `_fields=${one(['id', 'id,title', 'events.id', 'venue.venue', '__proto__', 'constructor.name', '', 'events', 'a.b.c.d.e.f', ',,'])}`;
      case '_locale':
        return `_locale=${one(['de', 'en', 'xx', '', 'user', 'de-CH', '../de'])}`;
      case '_method':
        return `_method=${one(['DELETE', 'PUT', 'PATCH', 'GET', 'delete', 'TRACE', '', 'POST'])}`;
      case 'password':
        // Finding out whether one is right takes its time.
        return once(4) ? pair(endpoint, name, false) : '_envelope';
      default:
        return name === '_envelope'
          ? once(9)
            ? '_jsonp=x'
            : one(['_envelope', '_envelope=1', '_envelope=0'])
          : pair(endpoint, name, once(3));
    }
  }

  function headers(endpoint: FuzzEndpoint): [string, string][] {
    const all: [string, () => string][] = [
      [
        'accept-encoding',
        () => one(['gzip', 'br;q=1.0', 'identity;q=0', '*;q=0', 'gzip;q=x', ',,,', 'deflate, gzip', 'x'.repeat(500)]),
      ],
      ['accept-language', () => one(['de', 'de-CH,en;q=0.5', '*', 'xx', ';;q=9', 'en;q=0', 'x'.repeat(500)])],
      ['accept', () => one(['application/json', 'text/html', '*/*', 'x', 'text/calendar', ''])],
      [
        'if-match',
        () => one(['"1"', '*', 'W/"1"', '"x"', '1', '', '"0"', '"1.abc"', ',', '"a","b"', '"99999999999999999999"']),
      ],
      ['if-none-match', () => one(['*', '"1"', 'W/"x"', '', '"a', ',,', '"0", "1"'])],
      ['range', () => one(['bytes=0-1', 'bytes=5-', 'bytes=-1', 'x', 'bytes=9-1'])],
      ['idempotency-key', () => one(['one', 'two', '', 'x'.repeat(300), 'é', ' ', '\x80\xff', `k${below(40)}`])],
      ['x-http-method-override', () => one(['DELETE', 'PUT', 'PATCH', 'delete', 'GET', 'x', '', 'OPTIONS'])],
      ['x-change-reason', () => one(['because', '%E2%82%AC', '%', '%zz', 'é', 'x'.repeat(400), ''])],
      ['x-daybook-position', () => one(['0000000000000001', 'x y', '', '-', "'", 'x'.repeat(65)])],
      ['origin', () => one(['https://other.example', 'null', '', 'x', 'https://a.example\t'])],
      ['access-control-request-method', () => one(['POST', 'x', ''])],
      [
        'host',
        () =>
          one([
            'cal.example',
            'cal.example:8080',
            '[::1]',
            'a b',
            '',
            'x'.repeat(300),
            'é.example',
            'cal.example/..',
            'user@h',
          ]),
      ],
      ['x-forwarded-for', () => one(['1.2.3.4', 'x', '::1, 1.1.1.1'])],
      ['x-forwarded-proto', () => one(['https', 'javascript', 'http,https'])],
      ['cookie', () => 'a=b; wordpress_logged_in=1'],
      ['expect', () => '100-continue'],
      ['last-event-id', () => one(['0000000000000001', 'x', ''])],
      [
        'authorization',
        () =>
          one([
            'Basic',
            'Basic !!!',
            'Bearer',
            'Bearer a.b.c',
            `Basic ${'x'.repeat(999)}`,
            'Digest x',
            '',
            'Basic Og==',
          ]),
      ],
    ];
    const chosen = once(3) ? some(all, 0.07) : [];
    return chosen
      .filter(([name]) => name !== 'authorization' || once(8))
      .filter(([name]) => endpoint.path !== '/changes' || name !== 'accept')
      .map(([name, make]) => [name, make()]);
  }

  function bodyOf(endpoint: FuzzEndpoint, names: readonly string[], wild: boolean): [FuzzBody | null, string[]] {
    const sort = wild && once(5) ? 'raw' : one(['json', 'json', 'json', 'form', 'form', 'multipart', 'query'] as const);
    const packed = wild && once(6) ? one(['cut', 'gzip', 'bom', 'utf16'] as const) : 'plain';
    const keys = wild && once(4) ? [...names, ...some(names, 0.3), '__proto__', 'constructor'] : names;
    const json = (name: string): string =>
      wild && once(3) ? hostileJson(choose, name) : likelyJson(choose, words, meaning(endpoint, name));
    switch (sort) {
      case 'json':
        return [{ as: sort, packed, members: keys.map((name) => `${JSON.stringify(name)}:${json(name)}`) }, []];
      case 'raw':
        return [{ as: sort, packed, members: [json('title')] }, []];
      case 'form':
        return [{ as: sort, packed, members: keys.map((name) => pair(endpoint, name, wild)) }, []];
      case 'multipart': {
        const part = (name: string): string =>
          `Content-Disposition: form-data; name="${name}"${wild && once(5) ? one(['; filename="a"', '\r\nContent-Type: text/x', ';;', '"']) : ''}\r\n\r\n${value(endpoint, name, wild).toWellFormed()}`;
        return [{ as: sort, packed, members: keys.map(part) }, []];
      }
      case 'query':
        return [null, keys.map((name) => pair(endpoint, name, wild))];
    }
  }

  function contentType(body: FuzzBody, wild: boolean): [string, string] {
    const own = {
      json: 'application/json',
      form: 'application/x-www-form-urlencoded',
      multipart: `multipart/form-data; boundary=${BOUNDARY}`,
      raw: 'text/plain',
    };
    const odd = [
      'application/json; charset=utf-16',
      'application/vnd.x+json',
      'text/json',
      '',
      ';;;',
      'multipart/form-data',
      'application/json;',
      `multipart/form-data; boundary="${'b'.repeat(90)}"`,
      ...Object.values(own),
    ];
    return ['content-type', wild && once(4) ? one(odd) : own[body.as]];
  }

  let previous: FuzzRequest | null = null;

  /** The next request, for any route; now and then the one before, from another caller. */
  return function next(): FuzzRequest {
    const again: FuzzRequest | null = previous?.method === 'GET' && once(4) ? { ...previous, as: one(ROLES) } : null;
    previous = again ?? another();
    return previous;
  };

  function another(): FuzzRequest {
    const endpoint = one(once(4) ? creating : endpoints);
    const wild = once(3);
    const isWrite = endpoint.method !== 'GET';
    const given = endpoint.parameters.filter((name) => name !== 'password' || once(30));
    const optional = some(given, isWrite ? 0.2 : 0.15);
    const names = [...new Set([...(once(20) ? [] : endpoint.required), ...optional])];
    const method = once(40)
      ? one(['HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'POST', 'DELETE', 'QUERY'])
      : endpoint.method;
    const [body, elsewhere] =
      isWrite || once(30) ? bodyOf(endpoint, names, wild) : [null, names.map((name) => pair(endpoint, name, wild))];
    const extra = once(5) ? [common(endpoint)] : [];
    const prefix = once(200) ? one(['/', '/x', '/calendar', '/wp-json']) : endpoint.root;
    return {
      as: one(ROLES),
      method,
      path: prefix + pathOf(endpoint),
      query: [...elsewhere, ...extra],
      headers: [...(body ? [contentType(body, wild)] : []), ...headers(endpoint)],
      body,
    };
  }
}

/** The bytes of a body, as they go over the wire. */
export function bytesOf(body: FuzzBody): Buffer {
  const bytes = Buffer.from(textOf(body));
  switch (body.packed) {
    case 'plain':
      return bytes;
    case 'cut':
      return bytes.subarray(0, Math.ceil(bytes.length * 0.7));
    case 'gzip':
      return gzipSync(bytes);
    case 'bom':
      return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]);
    case 'utf16':
      return Buffer.from(bytes.toString(), 'utf16le');
  }
}

function textOf({ as, members }: FuzzBody): string {
  switch (as) {
    case 'json':
      return `{${members.join(',')}}`;
    case 'form':
      return members.join('&');
    case 'multipart':
      return `${members.map((part) => `--${BOUNDARY}\r\n${part}\r\n`).join('')}--${BOUNDARY}--\r\n`;
    case 'raw':
      return members.join('');
  }
}

export const targetOf = ({ path, query }: Pick<FuzzRequest, 'path' | 'query'>): string =>
  query.length === 0 ? path : `${path}?${query.join('&')}`;
